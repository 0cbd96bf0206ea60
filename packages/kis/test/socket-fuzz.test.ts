import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import type { Notice, Tick } from '../src/index.ts'
import { TickDecoder } from '../src/index.ts'
import { ProblemLimiter } from '../src/socket/problem-limiter.ts'
import { Rubbish, absurd, absurdNotice, decodeOne } from './socket-fuzz.ts'
import { Stream, nextState, socketOf } from './stream.ts'

const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 5 })
const RECORD =
  '005930^093354^70500^2^500^0.71^70352.69^70100^70800^69900^70500^70400^12^11540^811870000^812^1033^221^118.42^5210^6170^1^0.54^37.20^090011^2^400^091502^5^-300^090440^2^600^20261116^20^N^4120^2875^118300^96450^0.19^10400^110.96^0^^70000^2'

test('rubbish through the decoders gives protocol errors with short messages, no absurd tick or notice', () => {
  const rubbish = new Rubbish(7)
  const decoder = new TickDecoder()
  const outcomes = new Set<string>()
  for (let n = 0; n < 8_000; n += 1) outcomes.add(decodeOne(decoder, rubbish.frame()))
  expect(outcomes).toEqual(new Set(['ticks', 'control', 'notices', 'refused']))
})

test('any bytes behind a right beginning', () => {
  const beginning = fc.constantFrom('', '0|H0STCNT0|001|', '0|H0STCNI0|002|', '1|H0STCNI0|001|', '{"header":', '0|H0UN')
  fc.assert(
    fc.property(beginning, fc.uint8Array({ maxLength: 400 }), (head, bytes) => {
      const outcome = decodeOne(new TickDecoder(), Buffer.concat([Buffer.from(head), bytes]))
      expect(outcome).not.toBe('ticks')
    }),
    { numRuns: 2_000 },
  )
})

test('any text in any field of a tick: refused, or a tick that can be', () => {
  const field = fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String), fc.bigInt().map(String))
  fc.assert(
    fc.property(fc.nat(46), field, (at, text) => {
      const values = RECORD.split('^')
      values[at] = text
      const frame = Buffer.from(`0|H0STCNT0|001|${values.join('^')}`)
      expect(['ticks', 'refused']).toContain(decodeOne(new TickDecoder(), frame))
    }),
    { numRuns: 3_000 },
  )
})

test('a good frame after rubbish is read as ever', () => {
  const rubbish = new Rubbish(3)
  const decoder = new TickDecoder()
  for (let n = 0; n < 2_000; n += 1) {
    decodeOne(decoder, rubbish.frame())
    expect(decoder.decode(Buffer.from(`0|H0STCNT0|001|${RECORD}`))).toMatchObject([{ code: '005930', price: 70_500 }])
  }
})

test('the socket survives rubbish, reports no more than a log can bear, and still brings prices', async () => {
  await using stream = await new Stream().listen()
  await using client = socketOf(stream)
  const ticks: Tick[] = []
  const notices: Notice[] = []
  const times: number[] = []
  client.socket.observe({
    tickReceived: (tick) => ticks.push(tick),
    noticeReceived: (notice) => notices.push(notice),
    timeReceived: (at) => times.push(at),
  })
  await client.socket.connect()
  const rubbish = new Rubbish(11)
  for (let n = 0; n < 5_000; n += 1) stream.connections.at(-1)?.send(rubbish.frame(), { binary: false })
  const last = `0|H0STCNT0|001|${RECORD.replace('005930', '000660')}`
  stream.send(last)
  await until(() => expect(ticks.at(-1)?.code).toBe('000660'))
  expect([ticks.filter(absurd), notices.filter(absurdNotice), times.filter((at) => at > Date.UTC(2100, 0))]).toEqual([
    [],
    [],
    [],
  ])
  expect(client.problems.length).toBeLessThanOrEqual(21)
  expect(Math.max(...client.problems.map(({ message }) => message.length))).toBeLessThan(400)
  expect(client.states.map(([state]) => state)).toEqual(['connecting', 'connected'])
})

test('a frame beyond all measure ends the connection, and a new one is made', async () => {
  await using stream = await new Stream().listen()
  await using client = socketOf(stream)
  await client.socket.connect()
  const up = nextState(client.socket, 'connected')
  stream.connections.at(-1)?.send('9'.repeat(5 * 1024 * 1024))
  await up
  expect(client.states.map(([state]) => state)).toEqual([
    'connecting',
    'connected',
    'disconnected',
    'connecting',
    'connected',
  ])
})

test('a line that brings nothing but rubbish is taken for dead', async () => {
  await using stream = await new Stream().listen()
  await using client = socketOf(stream, { socketTimes: { idleTimeoutMs: 200 } })
  await client.socket.connect()
  const down = nextState(client.socket, 'disconnected')
  const noise = setInterval(() => stream.send('rubbish'), 20)
  expect(await down).toContain('아무 소식이 없어')
  clearInterval(noise)
})

test('an ack of another channel does not make the notices registered', async () => {
  await using stream = await new Stream().listen()
  stream.answer = () => ({ header: { tr_id: 'H0STCNT0', tr_key: '005930' }, body: { rt_cd: '0', msg_cd: 'OPSP0000' } })
  await using client = socketOf(stream, { socketTimes: { ackMs: 100 } })
  await expect(client.socket.connect()).rejects.toThrow('체결 통보 등록에 응답이 없습니다')
})

test('problems: twenty a minute, then how many more there were', () => {
  const limit = new ProblemLimiter()
  const reported = Array.from({ length: 1_000 }, (_, n) => limit.next(n)).filter(({ report }) => report)
  expect(reported).toHaveLength(20)
  expect(limit.next(60_000)).toEqual({ report: true, suppressed: 980 })
  expect(limit.next(60_001)).toEqual({ report: true, suppressed: 0 })
})
