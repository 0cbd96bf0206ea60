import { expect, test } from 'vitest'
import { BackOff } from './back-off.ts'
import { DEFAULT_SOCKET_TIMES } from './times.ts'

const HOUR = 3_600_000
/** A connection that fails at once, again and again; how often within the first hour, and the pauses in seconds. */
function storm(random: number) {
  const backOff = new BackOff(DEFAULT_SOCKET_TIMES)
  const pauses: number[] = []
  const attempts: number[] = []
  for (let now = 0; now < 3 * HOUR;) {
    attempts.push(now)
    backOff.onAttempt(now)
    const pause = backOff.delay(now, random)
    pauses.push(pause / 1_000)
    now += pause
  }
  return { pauses, attempts }
}

test('pauses start at 5 s, double, and end at 5 minutes', () =>
  expect(storm(0).pauses.slice(0, 9)).toEqual([5, 10, 20, 40, 80, 160, 300, 300, 300]))

test('never more attempts in any hour than allowed, also when every connection succeeds and dies', () => {
  const backOff = new BackOff(DEFAULT_SOCKET_TIMES)
  const attempts: number[] = []
  for (let now = 0; now < 3 * HOUR;) {
    attempts.push(now)
    backOff.onAttempt(now)
    backOff.reset()
    now += backOff.delay(now, 0)
  }
  const busiest = Math.max(...attempts.map((from) => attempts.filter((at) => at >= from && at < from + HOUR).length))
  expect(busiest).toBe(DEFAULT_SOCKET_TIMES.attemptsPerHour)
})

test('a person may ask at once, but not sooner than the shortest pause after the last attempt', () => {
  const backOff = new BackOff(DEFAULT_SOCKET_TIMES)
  expect(backOff.shortestDelay(0)).toBe(0)
  backOff.onAttempt(1_000)
  expect(backOff.shortestDelay(2_000)).toBe(4_000)
  expect(backOff.shortestDelay(60_000)).toBe(0)
})

test('a new approval key needs no pause, and the attempt that found it needed does not count: once until a connection lasts', () => {
  const backOff = new BackOff(DEFAULT_SOCKET_TIMES)
  backOff.onAttempt(0)
  expect([backOff.delay(0, 0), backOff.delayForNewKey(0, 0)]).toEqual([5_000, 0])
  backOff.onAttempt(0)
  expect(backOff.delayForNewKey(0, 0)).toBe(5_000)
  backOff.onAttempt(5_000)
  expect(backOff.delayForNewKey(5_000, 0)).toBe(10_000)
  backOff.reset()
  expect(backOff.delayForNewKey(3_600_000, 0)).toBe(0)
})

test('a new approval key waits, too, where the attempts of the hour are used up', () => {
  const backOff = new BackOff({ ...DEFAULT_SOCKET_TIMES, attemptsPerHour: 1 })
  backOff.onAttempt(0)
  expect(backOff.delayForNewKey(1_000, 0)).toBe(HOUR - 1_000)
})
