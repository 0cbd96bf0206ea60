import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { AnswerFailedError, type Bus, NoAnswerError, NobodyThereError } from '../src/bus/bus.ts'
import { LocalBus, LocalWire } from '../src/bus/local-bus.ts'
import { ClusterSecret, SealedBus } from '../src/index.ts'
import { bytes, text } from './bus-contract.ts'

const SOON = { timeout: 5_000, interval: 10 }
const secret = new ClusterSecret(randomBytes(32))

let wire: LocalWire
let time = 0
let dropped: string[] = []
let asked: string[] = []

/** Everything that goes over the wire, as somebody who listens to all of it has it. */
class Listener extends LocalBus {
  readonly requests: Uint8Array[] = []
  readonly answers: Uint8Array[] = []
  readonly news: Uint8Array[] = []

  override async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    this.requests.push(data)
    const answer = await super.request(subject, data, timeoutMs)
    this.answers.push(answer)
    return answer
  }

  override publish(subject: string, data: Uint8Array): void {
    this.news.push(data)
    super.publish(subject, data)
  }
}

const sealed = (bus: Bus = new LocalBus(wire), of: ClusterSecret = secret): SealedBus =>
  new SealedBus(bus, of, { dropped: (subject, why) => dropped.push(`${subject} ${why}`), now: () => time })

/** One that answers `call.a` with what it was asked. */
function answering(of: ClusterSecret = secret): SealedBus {
  const bus = sealed(new LocalBus(wire), of)
  bus.answer('call.a', async (data) => {
    asked.push(text(data))
    return bytes(`received ${text(data)}`)
  })
  return bus
}

beforeEach(() => {
  wire = new LocalWire()
  time = 1_000_000
  dropped = []
  asked = []
})

describe('a sealed bus', () => {
  test('brings questions, answers, failures and news, and nothing of them can be read on the way', async () => {
    const listener = new Listener(wire)
    const asking = sealed(listener)
    const bus = answering()
    bus.answer('call.b', () => Promise.reject(new Error('no such account')))
    const received: string[] = []
    bus.subscribe('live.*', (data, subject) => received.push(`${subject} ${text(data)}`))
    expect(text(await asking.request('call.a', bytes('비밀 4711-0815'), 1_000))).toBe('received 비밀 4711-0815')
    await expect(asking.request('call.b', bytes('x'), 1_000)).rejects.toThrow(new AnswerFailedError('no such account'))
    await expect(asking.request('call.c', bytes('x'), 1_000)).rejects.toThrow(NobodyThereError)
    asking.publish('live.a', bytes('비밀 4712-0815'))
    await vi.waitFor(() => expect(received).toEqual(['live.a 비밀 4712-0815']), SOON)
    const seen = Buffer.concat([...listener.requests, ...listener.answers, ...listener.news])
    // Three letters would stand in the bytes by chance, once in some ten thousand runs.
    expect(['비밀', '-0815', 'received', 'account'].filter((part) => seen.indexOf(part) >= 0)).toEqual([])
    expect(dropped).toEqual([])
  })

  test('takes a request once, whoever sends it again, and none that is older than a minute', async () => {
    const listener = new Listener(wire)
    answering()
    await sealed(listener).request('call.a', bytes('buy'), 1_000)
    const [request = bytes('')] = listener.requests
    const intruder = new LocalBus(wire)
    await expect(intruder.request('call.a', request, 50)).rejects.toThrow(NoAnswerError)
    expect([asked, dropped]).toEqual([['buy'], ['call.a came before']])
    // One that has just come has seen none of it.
    time += 60_001
    answering()
    await expect(intruder.request('call.a', request, 50)).rejects.toThrow(NoAnswerError)
    expect([asked, dropped.at(-1)]).toEqual([['buy'], expect.stringMatching(/call.a was sent more than 60 s.*NTP/)])
  })

  test('begins nothing that was held back until nobody waited for it', async () => {
    answering()
    const asking = sealed()
    const [late, first] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    wire.holds = () => late.promise
    await expect(asking.request('call.a', bytes('late'), 20)).rejects.toThrow(NoAnswerError)
    time += 21
    late.resolve()
    await vi.waitFor(() => expect(dropped).toEqual([expect.stringMatching(/^call.a came when .* no longer/)]), SOON)
    // In time, whatever else has passed it on the way.
    wire.holds = () => first.promise
    const held = asking.request('call.a', bytes('first'), 10_000)
    wire.holds = () => null
    await asking.request('call.a', bytes('second'), 10_000)
    time += 9_000
    first.resolve()
    await held
    expect(asked).toEqual(['second', 'first'])
  })

  test('takes no request for another subject, of another secret, of news, changed or made up', async () => {
    const listener = new Listener(wire)
    const bus = answering()
    bus.answer('call.b', async () => bytes('b'))
    await sealed(listener).request('call.b', bytes('x'), 1_000)
    sealed(listener).publish('call.a', bytes('x'))
    const [request = bytes('')] = listener.requests
    const [news = bytes('')] = listener.news
    const changed = Buffer.from(request)
    changed[changed.length - 20] = (changed[changed.length - 20] ?? 0) ^ 1
    const forged = [request, news, bytes(''), randomBytes(20), randomBytes(200)]
    for (const message of forged)
      await expect(new LocalBus(wire).request('call.a', message, 20)).rejects.toThrow(NoAnswerError)
    await expect(new LocalBus(wire).request('call.b', changed, 20)).rejects.toThrow(NoAnswerError)
    const stranger = sealed(new LocalBus(wire), new ClusterSecret(randomBytes(32)))
    await expect(stranger.request('call.a', bytes('x'), 20)).rejects.toThrow(NoAnswerError)
    expect([asked, dropped.length]).toEqual([[], forged.length + 2])
  })

  test('believes no answer that was not made for this very question', async () => {
    const listener = new Listener(wire)
    answering()
    const asking = sealed(listener)
    await asking.request('call.a', bytes('one'), 1_000)
    const [before = bytes('')] = listener.answers
    const intruder = new LocalBus(wire)
    for (const answer of [before, bytes(''), randomBytes(100)]) {
      intruder.answer('call.a', async () => answer)
      await expect(asking.request('call.a', bytes('two'), 1_000)).rejects.toThrow(NoAnswerError)
    }
    intruder.answer('call.a', () => Promise.reject(new Error('made up')))
    await expect(asking.request('call.a', bytes('two'), 1_000)).rejects.toThrow(NoAnswerError)
    expect(dropped).toHaveLength(4)
  })

  test('drops news that comes again, old or made up, and goes on', async () => {
    const listener = new Listener(wire)
    const received: string[] = []
    sealed().subscribe('live.a', (data) => received.push(text(data)))
    const sending = sealed(listener)
    sending.publish('live.a', bytes('1'))
    const [first = bytes('')] = listener.news
    const intruder = new LocalBus(wire)
    for (const message of [first, bytes('x'), randomBytes(100)]) intruder.publish('live.a', message)
    sending.publish('live.a', bytes('2'))
    await vi.waitFor(() => expect(received).toEqual(['1', '2']), SOON)
    expect(dropped).toHaveLength(3)
  })

  test('lets messages overtake each other, as after a reconnection', async () => {
    const listener = new Listener(wire)
    const asking = sealed(listener)
    wire.loses = () => true
    for (const data of ['1', '2', '3'])
      await expect(asking.request('call.a', bytes(data), 1)).rejects.toThrow(NobodyThereError)
    wire.loses = () => false
    answering()
    for (const at of [2, 0, 1, 0])
      await new LocalBus(wire).request('call.a', listener.requests[at] ?? bytes(''), 20).catch(() => undefined)
    expect(asked).toEqual(['3', '1', '2'])
  })
})
