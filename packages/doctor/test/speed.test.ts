import { afterEach, expect, test } from 'vitest'
import { type Sim, startSim } from '@digger/kis-sim'
import { measureSpeed, type Finding } from '../src/index.ts'
import { at, clientOf, examinerOf, ME, MONDAY, ordersAtExchange, type Assumptions } from './fixture.ts'

let sim: Sim
afterEach(() => sim.close())

/** The broker counts in seconds of its own, which only the pauses move. */
async function measured(assumptions: Assumptions, env: 'real' | 'paper' = 'real'): Promise<Finding[]> {
  const clock = { mode: 'manual', start: at(MONDAY, '103000') } as const
  sim = await startSim({ port: 0, clock, latency: 'none', assumptions, accounts: [{ credentials: ME, env }] })
  const { rest, close } = clientOf(sim, sim.url, new Map(), env)
  const findings = await measureSpeed(examinerOf(sim, rest), (ms) => sim.clock.advance(ms))
  await close()
  expect(ordersAtExchange(sim)).toBe(0)
  return findings
}

test('as believed: the nineteenth call of a second is refused, and two questions about the account are not', async () => {
  const findings = await measured({})
  expect(findings.map(({ level }) => level)).toEqual(['ok', 'ok'])
  expect(findings[0]?.text).toContain('19번째에 거절')
})

test('callsPerSecond 3: the burst of four is refused, no larger one follows, and it says what to set', async () => {
  const findings = await measured({ callsPerSecond: { real: 3, paper: 1 } })
  expect(findings[0]).toMatchObject({ level: 'wrong', came: 'EGW00201' })
  expect(findings[0]?.text).toContain('KIS_CALLS_PER_SECOND를 2로')
  // Four together, one of them tried once more, and two about the account: the refused ones are not tried for ever.
  expect(sim.traffic.admitted + sim.traffic.tooMany).toBeLessThan(12)
})

test('ledgerCallsPerSecond 1: of two questions about the account the second is refused', async () => {
  const findings = await measured({ ledgerCallsPerSecond: 1 })
  expect(findings.at(-1)).toMatchObject({ level: 'note', came: 'EGW00215' })
})

test('paper takes one', async () => {
  const findings = await measured({}, 'paper')
  expect(findings[0]).toMatchObject({ level: 'ok', came: 'EGW00201' })
})
