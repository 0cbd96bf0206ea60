import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Bus, AnswerFailedError, NoAnswerError, NobodyThereError } from '../src/bus/bus.ts'
import { LocalBus, LocalWire } from '../src/bus/local-bus.ts'
import { NatsBus } from '../src/bus/nats-bus.ts'
import { findNats } from './find-nats.mjs'
import { type NatsServer, startNats } from './nats-server.ts'

const program = findNats()
const SOON = { timeout: 5_000, interval: 10 }
const bytes = (text: string): Uint8Array => Buffer.from(text)
const text = (data: Uint8Array): string => Buffer.from(data).toString()

let server: NatsServer
let buses: Bus[] = []
const wire = new LocalWire()

const KINDS: readonly (readonly [name: string, make: () => Promise<Bus>])[] = [
  ['in one process', async () => new LocalBus(wire)],
  ...(program === null ? [] : [['over NATS', () => NatsBus.open({ servers: [server.url] }, 'test')] as const]),
]

describe.each(KINDS)('the bus %s', (_name, make) => {
  const open = async (): Promise<Bus> => {
    const bus = await make()
    buses.push(bus)
    return bus
  }
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()))
    buses = []
  })
  beforeAll(async () => {
    if (program !== null) server = await startNats(program)
  })
  afterAll(async () => {
    if (program !== null) await server[Symbol.asyncDispose]()
  })
  test('a question finds who answers it, and the answer comes back', async () => {
    const [one, two] = [await open(), await open()]
    one.answer('call.a', async (data) => bytes(`received ${text(data)}`))
    await vi.waitFor(async () => expect(text(await two.request('call.a', bytes('x'), 1_000))).toBe('received x'), SOON)
  })

  test('what fails there is told here, in its words', async () => {
    const [one, two] = [await open(), await open()]
    one.answer('call.b', () => Promise.reject(new Error('no such account')))
    await vi.waitFor(
      () => expect(two.request('call.b', bytes('x'), 1_000)).rejects.toThrow(new AnswerFailedError('no such account')),
      SOON,
    )
  })

  test('nobody there is known at once, and differs from no answer', async () => {
    const [one, two] = [await open(), await open()]
    const began = performance.now()
    await expect(two.request('call.c', bytes('x'), 25_000)).rejects.toThrow(NobodyThereError)
    expect(performance.now() - began).toBeLessThan(12_500)
    const end = one.answer('call.c', () => new Promise(() => undefined))
    await vi.waitFor(() => expect(two.request('call.c', bytes('x'), 50)).rejects.toThrow(NoAnswerError), SOON)
    end()
    await vi.waitFor(() => expect(two.request('call.c', bytes('x'), 50)).rejects.toThrow(NobodyThereError), SOON)
  })

  test('news goes to everybody who wants it, by a whole subject or by a part', async () => {
    const [one, two] = [await open(), await open()]
    const received: string[] = []
    const end = two.subscribe('live.*', (data, subject) => received.push(`${subject} ${text(data)}`))
    one.subscribe('live.a', (data) => received.push(`own ${text(data)}`))
    await vi.waitFor(() => {
      one.publish('live.a', bytes('1'))
      expect(received).toEqual(expect.arrayContaining(['live.a 1', 'own 1']))
    }, SOON)
    end()
    one.publish('live.b', bytes('2'))
    one.publish('live.a.b', bytes('3'))
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(received.filter((line) => /live.a.b|own 3/.test(line))).toEqual([])
  })
})

describe.skipIf(program === null)('when the NATS server goes (skipped where none is installed)', () => {
  test('nothing is asked meanwhile, whoever listens is told of the gap, and all goes on', async () => {
    server = await startNats(program ?? '')
    const [one, two] = [
      await NatsBus.open({ servers: [server.url] }, 'one'),
      await NatsBus.open({ servers: [server.url] }, 'two'),
    ]
    const asked: string[] = []
    one.answer('call.a', async (data) => {
      asked.push(text(data))
      return bytes('ok')
    })
    await vi.waitFor(() => two.request('call.a', bytes('before'), 1_000), SOON)
    let gaps = 0
    two.onGap(() => (gaps += 1))
    await server.crash()
    await vi.waitFor(() => expect(two.connected).toBe(false), SOON)
    await expect(two.request('call.a', bytes('meanwhile'), 1_000)).rejects.toThrow(NobodyThereError)
    await server.start()
    await vi.waitFor(() => expect([two.connected, gaps]).toEqual([true, 1]), SOON)
    await vi.waitFor(() => two.request('call.a', bytes('after'), 1_000), SOON)
    expect(asked.includes('meanwhile')).toBe(false)
    await Promise.all([one.close(), two.close()])
    await server[Symbol.asyncDispose]()
  })
})
