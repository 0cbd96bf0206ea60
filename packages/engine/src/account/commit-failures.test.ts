import type { AccountEvent } from '@digger/core'
import { expect, test } from 'vitest'
import { CommitFailures } from './commit-failures.ts'

const timer: AccountEvent = { kind: 'timer' }
const linked: AccountEvent = { kind: 'linked' }
const refusal = Object.assign(new Error('duplicate key value'), { code: '23505' })

/** After this many failed commits, with the account read again and `timer` put back. */
function failed(times: number): CommitFailures {
  const failures = new CommitFailures()
  for (let n = 0; n < times; n += 1) failures.failed()
  failures.readAgain(timer)
  return failures
}

test('the readings come ever less often, and never less than every five seconds', () => {
  expect([0, 1, 2, 5, 6, 99].map((times) => failed(times).retryMs)).toEqual([100, 200, 400, 3_200, 5_000, 5_000])
})

test('the trouble is over with the last event that was put back, although nothing was written', async () => {
  const failures = failed(1)
  await expect.poll(() => failures.ms).toBeGreaterThan(10)
  failures.taken(linked, true)
  expect(failures.ms).toBeGreaterThan(10)
  failures.taken(timer, false)
  expect(failures.ms).toBe(0)
})

test('it begins where it began when what was put back fails, too', async () => {
  const failures = failed(1)
  await expect.poll(() => failures.ms).toBeGreaterThan(10)
  failures.failed()
  failures.taken(timer, false)
  expect(failures.ms).toBeGreaterThan(10)
})

test.each<[string, (failures: CommitFailures) => void, number]>([
  ['a commit once the trouble is over', (failures) => failures.taken(linked, true), 100],
  ['an event that wrote nothing', (failures) => failures.taken(linked, false), 800],
])('the next reading after %s', (_name, happens, retryMs) => {
  const failures = failed(3)
  failures.taken(timer, false)
  happens(failures)
  expect(failures.retryMs).toBe(retryMs)
})

test('a commit before what was put back has been taken makes readings no more frequent', () => {
  const failures = failed(3)
  failures.taken(linked, true)
  expect(failures.retryMs).toBe(800)
  failures.taken(timer, true)
  expect(failures.retryMs).toBe(100)
})

test('what the tables refuse for itself is tried three times, what a broken disk refuses for ever', () => {
  const failures = new CommitFailures()
  expect([1, 2, 3].map(() => failures.mayTryAgain(timer, refusal))).toEqual([true, true, false])
  expect([1, 2, 3, 4].every(() => failures.mayTryAgain(linked, new Error('the disk is full')))).toBe(true)
})
