import { type Bus, LocalBus, LocalWire } from '@digger/cluster'
import { type CallName, KEY_HEADER } from '@digger/contract'
import { realClock } from '@digger/database'
import fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Answered, CallForwarder, callSubject, ForwardedCall, MOVED, pack, unpack } from '@digger/forward'
import { onError } from '@digger/http'

const session = { id: 's', userId: 'person', email: 'a@b.kr', diggerAdmin: false }
const granted = { caller: session, userId: 'person' }
const LOST_AFTER_MS = 60
const NOBODY_BY_EMAIL = {
  userIdOf: async () => undefined,
  workerKeys: { of: async () => null },
  clock: realClock,
  seenStop: async () => 7,
}

let wire: LocalWire
let app: FastifyInstance
let owner: string | null
/** What each worker was asked, by the key it came with. */
let asked: [worker: string, key: string][]

beforeEach(() => {
  wire = new LocalWire()
  owner = 'one'
  asked = []
  const bus = new LocalBus(wire)
  const owners = { of: async () => owner, read: async () => undefined }
  const forwarder = new CallForwarder({ ...NOBODY_BY_EMAIL, bus, owners, lostAfterMs: LOST_AFTER_MS })
  app = fastify()
  app.setErrorHandler(onError)
  const bind = (method: 'GET' | 'POST', url: string, name: CallName) =>
    app.route({ method, url, handler: (request, reply) => sendOn(reply, forwarder.forward(name, request, granted)) })
  bind('POST', '/buy', 'marketBuy')
  bind('POST', '/stop', 'setStop')
  bind('GET', '/stocks', 'stocks')
})
afterEach(() => app.close())

async function sendOn(reply: FastifyReply, answered: Promise<Answered>): Promise<FastifyReply> {
  const { status, headers, body } = await answered
  return reply.code(status).headers(headers).send(body)
}

const reply = (status: number, more: object = {}) => pack({ status, headers: {}, ...more }, Buffer.from('{"n":1}'))

/** A worker that answers so, the last one again and again. */
function worker(name: string, ...answers: (() => Uint8Array | Promise<Uint8Array>)[]): void {
  const answer: Parameters<Bus['answer']>[1] = async (message) => {
    const call = ForwardedCall.parse(unpack(message).head)
    const now = answers.length > 1 ? answers.shift() : answers[0]
    asked.push([name, String(call.headers[KEY_HEADER])])
    if (now === undefined) throw new Error('no answer is left')
    return now()
  }
  new LocalBus(wire).answer(callSubject(name), answer)
}
const buy = (headers: Record<string, string> = {}) => app.inject({ method: 'POST', url: '/buy', headers, payload: {} })
const done = () => reply(200)

test('a browser’s key goes along, and a call without one gets one', async () => {
  worker('one', done)
  await buy({ [KEY_HEADER]: 'press-0123456789' })
  await buy()
  await buy()
  const keys = asked.map(([, key]) => key)
  expect(keys[0]).toBe('press-0123456789')
  expect([new Set(keys).size, keys.every((key) => key.length >= 16)]).toEqual([3, true])
})

test('an answer that is lost: the owner is asked once more, under the same key', async () => {
  worker('one', done)
  let losses = 1
  wire.loses = (subject) => subject.endsWith('answer') && losses-- > 0
  const answer = await buy()
  expect([answer.statusCode, asked.length, new Set(asked.map(String)).size]).toEqual([200, 2, 1])
})

test('lost twice: the person learns that nobody knows', async () => {
  worker('one', () => reply(429, { isLost: true }))
  const answer = await buy()
  expect([answer.statusCode, asked.length, answer.json().message]).toEqual([
    429,
    2,
    expect.stringContaining('되었는지 모릅'),
  ])
})

test('a worker that died with the call: whoever has the account next is asked under the same key', async () => {
  worker('one', () => new Promise(() => undefined))
  worker('two', done)
  setTimeout(() => (owner = 'two'), 20)
  // Only the account's next owner ends the wait.
  const forwarder = new CallForwarder({
    ...NOBODY_BY_EMAIL,
    bus: new LocalBus(wire),
    owners: { of: async () => owner, read: async () => undefined },
  })
  app.post('/late', (request, late) => sendOn(late, forwarder.forward('marketBuy', request, granted)))
  const answer = await app.inject({ method: 'POST', url: '/late', payload: {} })
  expect([answer.statusCode, asked.map(([name]) => name)]).toEqual([200, ['one', 'two']])
  expect(asked[0]?.[1]).toBe(asked[1]?.[1])
})

test('an owner that lost the account while it answered: the next one is asked, also for what only reads', async () => {
  for (const call of [buy, () => app.inject({ url: '/stocks' })]) {
    owner = 'one'
    asked = []
    worker('one', () => {
      owner = 'two'
      return reply(404, { isLost: true })
    })
    worker('two', done)
    expect([(await call()).statusCode, asked.map(([name]) => name)]).toEqual([200, ['one', 'two']])
  }
})

test('what was certainly not done goes on to the next owner as often as it takes', async () => {
  let tries = 0
  worker('one', () => reply((tries += 1) < 4 ? MOVED : 200))
  expect([(await buy()).statusCode, tries]).toEqual([200, 4])
})

const stop = (level: string) => app.inject({ method: 'POST', url: '/stop', payload: { level, stop: 'active' } })

test('a stop of the whole server is never sent again: late it could undo a stricter one', async () => {
  worker('one', () => reply(429, { isLost: true }))
  expect([(await stop('server')).statusCode, asked.length]).toEqual([429, 1])
  asked = []
  await stop('user')
  expect(asked).toHaveLength(2)
})
