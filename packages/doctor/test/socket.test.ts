import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import type { Sim } from '@digger/kis-sim'
import { examineSocket, type Finding, type Listening } from '../src/index.ts'
import { brokerOf, clientOf, CODE, ME, ordersAtExchange, type Assumptions } from './fixture.ts'

let sim: Sim
afterEach(() => sim.close())

/** While it listens, a trade every so often, with a second between them. */
async function listened(assumptions: Assumptions, more: Partial<Listening> = {}, trades = 4): Promise<Finding[]> {
  sim = await brokerOf({ assumptions: { pingPongMs: [1e9, 1e9], ...assumptions } })
  const { socket, close } = clientOf(sim)
  let listening = 0
  const pause = async (ms: number): Promise<void> => {
    if (ms !== LISTEN_MS) return sleep(ms, undefined, { ref: false })
    listening += 1
    while (!socket.watched.has(CODE) || socket.unanswered > 0) await sleep(5)
    const before = socket.frames
    for (let n = 0; n < trades; n += 1) {
      sim.setPrice(CODE, sim.price(CODE) + (n % 2 === 0 ? 100 : -100), { count: 10 })
      await sim.clock.advance(1_000)
    }
    while (socket.frames < before + Math.min(trades, 1)) await sleep(5)
    await sleep(20)
  }
  const findings = await examineSocket(socket, {
    code: CODE,
    markets: ['KRX'],
    listenMs: LISTEN_MS,
    connectMs: 3_000,
    now: () => sim.clock.now(),
    pause,
    isTraded: true,
    ...more,
  })
  await close()
  expect(ordersAtExchange(sim)).toBe(0)
  expect(listening).toBeLessThanOrEqual(3)
  return findings
}

const LISTEN_MS = 77

test('as believed: connected, notices registered, ticks of each channel', async () => {
  const findings = await listened({}, { markets: ['KRX', 'NXT', 'UN'] })
  expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test.each([
  ['time', '누적 거래량이 그대로'],
  ['volume', '체결 시각이 그대로'],
] as const)('laterTicksShow %s', async (laterTicksShow, text) => {
  const findings = await listened({ laterTicksShow })
  expect(findings.filter(({ level }) => level === 'note').map((one) => one.text.includes(text))).toEqual([true])
})

test('noticeKey absent: a registration that opens no notice is named, and is none', async () => {
  const findings = await listened({ noticeKey: 'absent' })
  expect(findings.map(({ level, fields }) => [level, fields])).toEqual([['wrong', ['iv', 'key']]])
  expect(findings[0]?.text).toContain('통보를 여는 키')
})

test('a closed market is no failure of the channel', async () => {
  const findings = await listened({}, { isTraded: false }, 0)
  expect(findings.at(-1)?.level).toBe('notTried')
})

test('a key that another connection has is said in words', async () => {
  sim = await brokerOf()
  const [first, second] = [clientOf(sim), clientOf(sim)]
  await first.socket.connect()
  while (first.socket.state !== 'connected') await sleep(5)
  const findings = await examineSocket(second.socket, {
    code: CODE,
    markets: ['KRX'],
    listenMs: 1,
    connectMs: 3_000,
    now: () => sim.clock.now(),
    pause: (ms) => sleep(ms, undefined, { ref: false }),
    isTraded: true,
  })
  await Promise.all([first.close(), second.close()])
  expect(findings.map(({ level }) => level)).toEqual(['wrong'])
  expect(findings[0]?.text).toContain('다른 곳에서 같은 앱키로')
  expect(sim.accounts[0]?.credentials.appKey).toBe(ME.appKey)
})
