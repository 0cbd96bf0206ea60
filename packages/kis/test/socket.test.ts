import { afterEach, describe, expect, test, vi } from 'vitest'
import { RefusedError } from '../src/index.ts'
import { until, withMovedTime } from './moved-time.ts'
import { Stream, TIMES, ack, nack, nextState, socketOf } from './stream.ts'

withMovedTime()
afterEach(() => {
  vi.restoreAllMocks()
})
const TEN_MINUTES = 600_000

const watched = (client: { socket: { watched: ReadonlySet<string> } }): string[] => [...client.socket.watched].sort()
const codes = (count: number): string[] => Array.from({ length: count }, (_, i) => String(i).padStart(6, '0'))

describe('connecting', () => {
  test('approval key, notices first, then what is watched', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream)
    client.socket.watch(['005930', '000660'])
    await client.socket.connect()
    await until(() => expect(watched(client)).toEqual(['000660', '005930']))
    expect(stream.paths).toEqual(['/tryitout'])
    expect(stream.asked.map(({ type, trId, trKey }) => `${type} ${trId} ${trKey}`)).toEqual([
      '1 H0STCNI0 tester01',
      '1 H0STCNT0 005930',
      '1 H0STCNT0 000660',
    ])
    expect(stream.asked[0]?.approval).toBe('approval1')
    expect(client.states.map(([state]) => state)).toEqual(['connecting', 'connected'])
  })

  test('on paper the notices have a channel of their own', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream, { env: 'paper' })
    await client.socket.connect()
    expect(stream.asked[0]?.trId).toBe('H0STCNI9')
  })

  test('the venue of a stock decides its channel', async () => {
    await using stream = await new Stream().listen()
    const channels = { '005930': 'UN', '000660': 'NXT' } as const
    await using client = socketOf(stream)
    client.socket.watch(['005930', '000660', '035420'], (code) =>
      code === '005930' || code === '000660' ? channels[code] : 'KRX',
    )
    await client.socket.connect()
    await until(() => expect(watched(client)).toHaveLength(3))
    expect(stream.asked.slice(1).map(({ trId }) => trId)).toEqual(['H0UNCNT0', 'H0NXCNT0', 'H0STCNT0'])
  })

  test('a wrong HTS ID is reported with a message, and no further attempt is made for ten minutes', async () => {
    await using stream = await new Stream().listen()
    stream.answer = () => nack('', 'ERROR : htsid가잘못되었습니다', {}, '9')
    await using client = socketOf(stream)
    await expect(client.socket.connect()).rejects.toThrow('HTS ID가 올바르지 않아')
    expect(client.socket.state).toBe('disconnected')
    expect(client.states.at(-1)?.[1]).toContain('HTS ID')
    await vi.advanceTimersByTimeAsync(TEN_MINUTES - 10_000)
    expect([stream.connections.length, client.socket.isWanted]).toEqual([1, true])
    // A person corrected it and asks again.
    stream.answer = ack
    await client.socket.connect()
    expect(client.socket.state).toBe('connected')
  })

  test('what was refused and set right at the broker is found out by itself, with a fresh approval key', async () => {
    await using stream = await new Stream().listen()
    stream.answer = (asked, connection) => (connection === 1 ? nack('OPSP0010', 'invalid appkey', {}, '9') : ack(asked))
    await using client = socketOf(stream)
    await expect(client.socket.connect()).rejects.toThrow('앱키가 올바르지 않아')
    const up = nextState(client.socket, 'connected')
    await vi.advanceTimersByTimeAsync(TEN_MINUTES + 1_000)
    await up
    expect([stream.connections.length, stream.approvals]).toEqual([2, 2])
  })

  test('what a person closed after a refusal is not tried again', async () => {
    await using stream = await new Stream().listen()
    stream.answer = () => nack('', 'ERROR : htsid가잘못되었습니다', {}, '9')
    await using client = socketOf(stream)
    await expect(client.socket.connect()).rejects.toThrow('HTS ID가 올바르지 않아')
    await client.socket.close()
    await vi.advanceTimersByTimeAsync(2 * TEN_MINUTES)
    expect([stream.connections.length, client.socket.isWanted]).toEqual([1, false])
  })

  test('an unknown approval key: a fresh one', async () => {
    await using stream = await new Stream().listen()
    stream.answer = (asked, connection) =>
      connection === 1 ? nack('OPSP0011', 'invalid approval : NOT FOUND') : ack(asked)
    await using client = socketOf(stream)
    const up = nextState(client.socket, 'connected')
    await client.socket.connect().catch(() => null)
    await up
    expect(stream.approvals).toBe(2)
    expect(stream.asked.at(-1)?.approval).toBe('approval2')
  })

  test('an approval key that ran out is no failure of the line: the new one is used at once, and who waits does not learn of it', async () => {
    await using stream = await new Stream().listen()
    stream.answer = (asked, connection) =>
      connection === 1 ? nack('OPSP0011', 'invalid approval : NOT FOUND') : ack(asked)
    await using client = socketOf(stream, { socketTimes: { backOffMs: 60_000, backOffMaxMs: 60_000 } })
    await client.socket.connect()
    expect(client.socket.state).toBe('connected')
  })

  test('a broker that refuses every approval key is asked once more at once, then after the pause of any failure', async () => {
    // The longest pause, 72 s: time moved far beyond it would end the time-outs of the attempt that follows, too.
    vi.spyOn(Math, 'random').mockReturnValue(0.999_999)
    await using stream = await new Stream().listen()
    stream.answer = () => nack('OPSP0011', 'invalid approval : NOT FOUND')
    await using client = socketOf(stream, { socketTimes: { backOffMs: 60_000, backOffMaxMs: 60_000 } })
    await expect(client.socket.connect()).rejects.toThrow('접속키가 만료')
    await until(() => expect(stream.connections).toHaveLength(2))
    // Both have ended: the pause that follows counts from the second.
    await until(() => expect(stream.connections.every(({ readyState }) => readyState === WebSocket.CLOSED)).toBe(true))
    await until(() => expect(client.socket.state).toBe('disconnected'))
    await vi.advanceTimersByTimeAsync(59_000)
    expect([stream.connections.length, stream.approvals]).toEqual([2, 2])
    await vi.advanceTimersByTimeAsync(13_500)
    await until(() => expect(stream.connections).toHaveLength(3))
  })

  test('the key is in use elsewhere: wait, then again, with the same approval key', async () => {
    await using stream = await new Stream().listen()
    stream.answer = (asked, connection) =>
      connection < 3 ? nack('OPSP8996', 'ALREADY IN USE appkey', {}, '9') : ack(asked)
    await using client = socketOf(stream)
    const up = nextState(client.socket, 'connected')
    const since = performance.now()
    await expect(client.socket.connect()).rejects.toThrow('같은 앱키')
    await up
    expect(performance.now() - since).toBeGreaterThanOrEqual(110)
    expect(stream.connections).toHaveLength(3)
    expect(stream.approvals).toBe(1)
  })

  test('no answer to the notice registration: not connected, tried again', async () => {
    await using stream = await new Stream().listen()
    stream.answer = (asked, connection) => (connection === 1 ? null : ack(asked))
    await using client = socketOf(stream, { socketTimes: { ackMs: 100 } })
    const up = nextState(client.socket, 'connected')
    await expect(client.socket.connect()).rejects.toThrow('응답이 없습니다')
    await up
    expect(stream.connections).toHaveLength(2)
  })

  test('nobody there: an error, and attempts go on until closed', async () => {
    const stream = await new Stream().listen()
    const client = socketOf(stream)
    await stream[Symbol.asyncDispose]()
    await expect(client.socket.connect()).rejects.toThrow('연결할 수 없어')
    await until(() => expect(client.states.filter(([state]) => state === 'connecting').length).toBeGreaterThan(2))
    await client.socket.close()
    const attempts = client.states.length
    await vi.advanceTimersByTimeAsync(TEN_MINUTES)
    expect(client.states.length).toBe(attempts)
    await client[Symbol.asyncDispose]()
  })
})

describe('watching', () => {
  test('only differences are sent', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream)
    client.socket.watch(['000001', '000002', '000003'])
    await client.socket.connect()
    await until(() => expect(watched(client)).toHaveLength(3))
    client.socket.watch(['000003', '000001', '000004'])
    client.socket.watch(['000003', '000001', '000004'])
    await until(() => expect(watched(client)).toEqual(['000001', '000003', '000004']))
    expect(stream.asked.slice(4).map(({ type, trKey }) => `${type} ${trKey}`)).toEqual(['2 000002', '1 000004'])
  })

  test('40 stocks fit beside the notices, the first ones; places are free before they are filled', async () => {
    await using stream = await new Stream().listen()
    let registered = 0
    let most = 0
    stream.answer = (asked) => {
      registered += asked.type === '1' ? 1 : -1
      most = Math.max(most, registered)
      return ack(asked)
    }
    await using client = socketOf(stream)
    client.socket.watch(codes(60))
    await client.socket.connect()
    await until(() => expect(client.socket.watched.size).toBe(40))
    expect(watched(client)).toEqual(codes(40))
    client.socket.watch(codes(60).slice(20))
    await until(() => expect(watched(client)).toEqual(codes(60).slice(20)))
    expect(most).toBe(41)
  })

  test.each([
    ['OPSP0002: already registered is registered', 'OPSP0002', ['000001'], 0, 1],
    ['OPSP8992: refused, reported, not repeated', 'OPSP8992', [], 1, 1],
    ['OPSP0008: no more places, asked again when some time has passed', 'OPSP0008', [], 1, 2],
  ])('%s', async (_name, code, live, problems, tries) => {
    await using stream = await new Stream().listen()
    stream.answer = (asked) => (asked.trKey === '000001' ? nack(code, 'no', asked) : ack(asked))
    await using client = socketOf(stream)
    client.socket.watch(['000001', '000002'])
    await client.socket.connect()
    await until(() => expect(watched(client)).toEqual([...live, '000002']))
    const asked = () => stream.asked.filter(({ trKey }) => trKey === '000001')
    await vi.advanceTimersByTimeAsync(TIMES.idleTimeoutMs / 4)
    expect(client.problems.filter((error) => error instanceof RefusedError)).toHaveLength(problems)
    expect(asked()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(TIMES.idleTimeoutMs / 2)
    await until(() => expect(asked()).toHaveLength(tries))
  })
})

describe('losing the line', () => {
  test('after a cut everything watched is back', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream)
    client.socket.watch(['000001', '000002'])
    await client.socket.connect()
    await until(() => expect(watched(client)).toHaveLength(2))
    const down = nextState(client.socket, 'disconnected')
    stream.connections[0]?.terminate()
    expect(await down).toContain('1006')
    expect(client.socket.watched.size).toBe(0)
    client.socket.watch(['000002', '000003'])
    await until(() => expect(watched(client)).toEqual(['000002', '000003']))
    expect(stream.approvals).toBe(1)
  })

  test('a line that is open but silent is given up and made anew', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream, { socketTimes: { idleTimeoutMs: 120 } })
    await client.socket.connect()
    const down = nextState(client.socket, 'disconnected')
    const up = nextState(client.socket, 'connected')
    expect(await down).toContain('소식이 없어')
    await up
    expect(stream.connections).toHaveLength(2)
  })

  test('a peer that stopped reading and closing is cut, not waited for', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream, { socketTimes: { idleTimeoutMs: 120 } })
    await client.socket.connect()
    stream.connections[0]?.pause()
    await nextState(client.socket, 'disconnected')
    await nextState(client.socket, 'connected')
    expect(client.socket.state).toBe('connected')
  })

  test('PINGPONG is echoed as text and counts as activity', async () => {
    await using stream = await new Stream().listen()
    await using client = socketOf(stream)
    const times: number[] = []
    client.socket.observe({ timeReceived: (at) => times.push(at) })
    await client.socket.connect()
    const ping = '{"header":{"tr_id":"PINGPONG","datetime":"20261116093412"}}'
    for (let i = 0; i < 12; i += 1) {
      stream.send(ping)
      await until(() => expect(stream.texts).toHaveLength(i + 1))
      await vi.advanceTimersByTimeAsync(TIMES.idleTimeoutMs / 2)
    }
    expect(client.states.map(([state]) => state)).toEqual(['connecting', 'connected'])
    expect(stream.texts).toHaveLength(12)
    expect(stream.texts[0]).toBe(ping)
    // 09:34:12 in Korea, by the broker's own clock.
    expect(new Set(times)).toEqual(new Set([Date.UTC(2026, 10, 16, 0, 34, 12)]))
  })

  test('close ends it for good, also while connecting', async () => {
    await using stream = await new Stream().listen()
    stream.answer = () => null
    await using client = socketOf(stream)
    const connecting = client.socket.connect().catch((error: unknown) => error)
    await until(() => expect(stream.asked).toHaveLength(1))
    await client.socket.close()
    expect(await connecting).toBeInstanceOf(Error)
    await vi.advanceTimersByTimeAsync(TEN_MINUTES)
    expect(stream.connections).toHaveLength(1)
    expect(client.socket.state).toBe('disconnected')
  })
})
