import { expect, test } from 'vitest'
import { FAULTS, OTHERS, WORST, type FaultName } from '../faults/all.ts'
import type { FaultPlan, Plan } from '../planned.ts'
import { isExcused } from './excuses.ts'

const RECOVERY_MS = 60_000

const planOf = (faults: readonly FaultPlan[]): Plan => ({
  seed: 1,
  start: '2027-01-15T08:45:00+09:00',
  calmAt: 0,
  endAt: 0,
  accounts: [],
  market: { ticksPerSecond: 1, volatility: 0 },
  faults,
  presses: [],
})

/** Whether what began so long after the end of a fault may still be late. */
function isLateExcused(name: FaultName, afterMs: number): boolean {
  const [forMs] = FAULTS[name].lasts
  const from = 100_000 + forMs + afterMs
  return isExcused(planOf([{ name, at: 100_000, forMs, draw: 0 }]), 'late', from, from, RECOVERY_MS)
}

// Seed 3385: two faults within a minute each took the token, the second could be replaced after a minute only, and the list was
// read again up to half a minute after that.
test.each<[FaultName, number]>([
  ['tokensExpired', 120_000],
  ['brokerRestart', 120_000],
  ['listsFail', 60_000],
])('%s is felt for %i ms', (name, ms) => {
  expect([isLateExcused(name, ms), isLateExcused(name, ms + 1)]).toEqual([true, false])
})

test('a stock may stop for its rejects only where the exchange refused what it had taken', () => {
  const excusing = [...WORST, ...OTHERS].filter((name) =>
    isExcused(planOf([{ name, at: 100_000, forMs: 1_000, draw: 0 }]), 'rejects', 0, 200_000, 0),
  )
  expect(excusing).toEqual(['rejectedLater'])
})
