import { expect, test } from 'vitest'
import { FAULTS, isFault } from './simulate/faults.ts'
import { DAYS_PER_RUN, IDLE_SHARE, simulate } from './simulate/run.ts'

/** A small set for every run of the tests; `npm run prove -- simulate` plays thousands. */
const SEEDS = Array.from({ length: 60 }, (_, i) => i + 1)

test(`${SEEDS.length * DAYS_PER_RUN} account-days of trouble: every promise is kept and everything settles`, () => {
  const outcomes = SEEDS.map((seed) => simulate(seed))
  const failures = outcomes.flatMap(({ seed, failure }) =>
    failure === null ? [] : [`seed ${seed}: ${failure.message}`],
  )
  expect(failures).toEqual([])
  const struck = new Set(outcomes.flatMap(({ counts }) => [...counts.keys()]))
  expect(Object.keys(FAULTS).filter((name) => isFault(name) && !struck.has(name))).toEqual([])
  expect(outcomes.reduce((sum, { fills }) => sum + fills, 0)).toBeGreaterThan(900)
  // Runs in which nothing was due after the last fault have not shown that the account lives.
  expect(outcomes.filter(({ due }) => due === 0).length).toBeLessThan(SEEDS.length * IDLE_SHARE)
}, 120_000)

test('one seed is one run: the same trace to the letter', () => {
  expect(simulate(7, true).trace).toEqual(simulate(7, true).trace)
})
