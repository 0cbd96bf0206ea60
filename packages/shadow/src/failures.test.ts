import { expect, test } from 'vitest'
import { Failures } from './failures.ts'

const ME = 'me'
const broken = new Error('row 7 is missing')

/** Fails each time that it may be opened, looked at each second, and ends a moment later. */
function triesOf(failures: Failures, seconds: number, errorOf: (n: number) => unknown = () => broken, runsMs = 10) {
  const tries: number[] = []
  let reported = 0
  for (let now = 0; now < seconds * 1_000; now += 1_000) {
    if (!failures.mayOpen(ME, 1, now)) continue
    const error = errorOf(tries.length)
    tries.push(now / 1_000)
    if (failures.add(ME, { epoch: 1, error, openedAt: now - runsMs, now })) reported += 1
  }
  return { tries, reported }
}

test('what fails for good is tried ever more rarely, every minute at last, and reported once', () => {
  const { tries, reported } = triesOf(new Failures(), 300)
  expect(tries).toEqual([0, 2, 6, 14, 30, 62, 122, 182, 242])
  expect(reported).toBe(1)
})

test('another cause is reported too, each once', () => {
  const causes = [broken, new Error('it does not come to rest')]
  expect(triesOf(new Failures(), 300, (n) => causes[n % 2]).reported).toBe(2)
})

test('what ran well for minutes fails anew', () => {
  expect(triesOf(new Failures(), 9, () => broken, 300_000)).toEqual({ tries: [0, 2, 4, 6, 8], reported: 5 })
})

test('another owner does not wait, nor does one who has the account back', () => {
  const failures = new Failures()
  triesOf(failures, 60)
  expect([failures.mayOpen(ME, 1, 60_000), failures.mayOpen(ME, 2, 60_000)]).toEqual([false, true])
  expect(failures.mayOpen('other', 1, 60_000)).toBe(true)
  failures.forget(ME)
  expect(failures.mayOpen(ME, 1, 60_000)).toBe(true)
})
