import { randomBytes, randomUUID } from 'node:crypto'
import { ClusterSecret, LocalBus, LocalWire, NobodyThereError, Owners, ProvenKeys } from '@digger/cluster'
import type { CallName } from '@digger/contract'
import { realClock } from '@digger/database'
import { hasAccount } from '@digger/engine'
import { newKeyPair, SealError } from '@digger/identity'
import { fastify, type FastifyInstance } from 'fastify'
import { expect, test } from 'vitest'
import {
  answerCalls,
  callSubject,
  CallForwarder,
  ForwardedCall,
  ForwardedGrants,
  ForwardedReply,
  MOVED,
  openCall,
  pack,
  sealCall,
  sealedCallSubject,
  unpack,
} from '@digger/forward'
import { startFixture } from './shared-fixture.ts'

const NOTHING_KNOWN = { userIdOf: async () => undefined, seenStop: async () => 0 }

/** Whoever asks is made to believe that nobody was there, after the call was carried out. */
class ForgingBus extends LocalBus {
  forgeries = 1

  override async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    const answer = await super.request(subject, data, timeoutMs)
    if (this.forgeries === 0) return answer
    this.forgeries -= 1
    throw new NobodyThereError(subject)
  }
}

/** A worker that has every account. */
const answeringAll = (wire: LocalWire, app: FastifyInstance, parts: Partial<Parameters<typeof answerCalls>[1]> = {}) =>
  answerCalls('w', {
    bus: new LocalBus(wire),
    app,
    clock: realClock,
    grants: new ForwardedGrants(),
    pair: newKeyPair(),
    has: async () => true,
    isOwn: () => true,
    isLeaving: () => false,
    ...parts,
  })

test('a change is carried out once, also where somebody makes the gateway ask again', async () => {
  await using fixture = await startFixture()
  const { db, pool } = fixture.database
  await pool.query(`update shard set epoch = 1, worker = 'w'`)
  const wire = new LocalWire()
  const bus = new ForgingBus(wire)
  let done = 0
  const app = fastify()
  app.post('/api/user/stop', (request) => ({ done: (done += 1), ip: request.headers['x-forwarded-for'] }))
  const end = answeringAll(wire, app)
  const workerKeys = new ProvenKeys(db, { cluster: new ClusterSecret(randomBytes(32)) }, () => undefined)
  const forwarder = new CallForwarder({
    ...NOTHING_KNOWN,
    bus,
    owners: new Owners(db),
    workerKeys,
    clock: realClock,
  })
  const gateway = fastify()
  gateway.post('/api/user/stop', (request) =>
    forwarder.forward('setStop', request, { caller: null, userId: 'u' }).then(({ body }) => body.toString()),
  )
  const ask = async () => (await gateway.inject({ method: 'POST', url: '/api/user/stop', payload: { x: 1 } })).json()
  expect([await ask(), bus.forgeries]).toEqual([{ done: 1, ip: '127.0.0.1' }, 0])
  expect(await ask()).toMatchObject({ done: 2 })
  end()
})

test('a call that is sealed for one worker opens nowhere else, and its answer only where it was asked', async () => {
  const [pair, other] = [newKeyPair(), newKeyPair()]
  const { sealed, openAnswer } = await sealCall('w1', pair.publicKey, Buffer.from('열려라'))
  expect(sealed.includes('열려라')).toBe(false)
  await expect(openCall('w1', other.privateKey, sealed)).rejects.toThrow(SealError)
  await expect(openCall('w2', pair.privateKey, sealed)).rejects.toThrow(SealError)
  const { call, sealAnswer } = await openCall('w1', pair.privateKey, sealed)
  const answer = sealAnswer(Buffer.from('들어오세요'))
  expect([call.toString(), openAnswer(answer).toString()]).toEqual(['열려라', '들어오세요'])
  const again = await sealCall('w1', pair.publicKey, Buffer.from('열려라'))
  expect(() => again.openAnswer(answer)).toThrow(SealError)
})

test('a recorded call with a password is not carried out again by whoever has the secret of the bus', async () => {
  const wire = new LocalWire()
  const pair = newKeyPair()
  let now = 1_000_000_000
  let done = 0
  const app = fastify()
  app.post('/api/login', () => ({ done: (done += 1) }))
  const end = answeringAll(wire, app, { clock: { now: () => now }, pair })
  const seal = async (id: string, until: number) => {
    const call = { id, until, method: 'POST', name: 'login', url: '/api/login', headers: {}, caller: null } as const
    const more = { address: '127.0.0.1', protocol: 'https', userId: '', place: 'a@b.kr', needsAccount: false }
    return (await sealCall('w', pair.publicKey, pack(ForwardedCall.parse({ ...call, ...more }), Buffer.alloc(0))))
      .sealed
  }
  // The bytes as the bus carried them, in an envelope of today.
  const replay = (bytes: Uint8Array) => new LocalBus(wire).request(sealedCallSubject('w'), bytes, 1_000)
  const recorded = await seal('one', now + 40_000)
  await replay(recorded)
  await replay(recorded)
  expect(done).toBe(1)
  now += 40_001
  await expect(replay(recorded)).rejects.toThrow(/nobody waited/)
  // One that would be good for a year, so that it can be kept.
  await expect(replay(await seal('two', now + 365 * 86_400_000))).rejects.toThrow(/clock/)
  now -= 60_000
  await expect(replay(recorded)).rejects.toThrow(/clock/)
  expect(done).toBe(1)
  end()
})

test('while an account leaves, its owner still shows it and stops it; every other change is for the next one', async () => {
  const wire = new LocalWire()
  const app = fastify()
  app.route({ method: ['GET', 'POST'], url: '/api/u/it', handler: () => 'done' })
  let isLeaving = false
  const end = answeringAll(wire, app, { isLeaving: () => isLeaving })
  const until = realClock.now() + 40_000
  const ask = async (method: 'GET' | 'POST', name: CallName, id: string = randomUUID()) => {
    const call = { id, until, method, name, url: '/api/u/it', headers: {}, caller: null, needsAccount: true }
    const head = ForwardedCall.parse({ ...call, address: '127.0.0.1', protocol: 'https', userId: 'u', place: 'u' })
    const answer = await new LocalBus(wire).request(callSubject('w'), pack(head, Buffer.alloc(0)), 1_000)
    return ForwardedReply.parse(unpack(answer).head).status
  }
  expect(await ask('POST', 'cancelOrder', 'before')).toBe(200)
  isLeaving = true
  expect([await ask('GET', 'stocks'), await ask('POST', 'setStop')]).toEqual([200, 200])
  expect([await ask('POST', 'cancelOrder'), await ask('POST', 'login')]).toEqual([MOVED, MOVED])
  // One that is under way here is not begun by two.
  expect(await ask('POST', 'cancelOrder', 'before')).toBe(200)
  end()
})

test('a worker that ends has let the account go: whatever fails there is for its next owner', async () => {
  const owned = { isOwn: () => isOwn }
  const opened: string[] = []
  const engine = {
    has: () => true,
    async open(userId: string) {
      opened.push(userId)
      await ending
      throw new Error('Cannot use a pool after calling end on the pool')
    },
  }
  let isOwn = true
  let ending = Promise.resolve()
  await expect(hasAccount(engine, owned, 'u')).rejects.toThrow('pool')
  // Its shard goes while the account is looked for.
  ending = Promise.resolve().then(() => void (isOwn = false))
  expect([await hasAccount(engine, owned, 'u'), opened]).toEqual([false, ['u', 'u']])
  // Nor is it looked for where it cannot be.
  expect([await hasAccount(engine, owned, 'u'), opened]).toEqual([false, ['u', 'u']])
})

test.each([
  ['stocks', true, 500, true],
  ['login', false, 500, true],
  ['login', false, 401, false],
] as const)(
  '%s (needs the account: %s) that its worker answers with %i while it ends: lost there or not',
  async (name, needsAccount, status, isLost) => {
    const wire = new LocalWire()
    const app = fastify()
    let isHere = true
    app.get('/api/u/it', async (_, reply) => {
      isHere = false
      return reply.code(status).send({})
    })
    const end = answeringAll(wire, app, { has: async () => isHere, isOwn: () => isHere })
    const call = {
      id: randomUUID(),
      until: realClock.now() + 40_000,
      method: 'GET',
      name,
      url: '/api/u/it',
      headers: {},
    }
    const of = { caller: null, needsAccount, address: '127.0.0.1', protocol: 'https', userId: 'u', place: 'u' }
    const asked = pack(ForwardedCall.parse({ ...call, ...of }), Buffer.alloc(0))
    const answer = await new LocalBus(wire).request(callSubject('w'), asked, 1_000)
    expect(ForwardedReply.parse(unpack(answer).head)).toMatchObject({ status, isLost })
    end()
  },
)
