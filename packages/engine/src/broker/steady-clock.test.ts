import { beforeEach, describe, expect, test } from 'vitest'
import { SteadyClock } from './steady-clock.ts'

const START = Date.UTC(2026, 10, 16, 1, 0, 0)
const HOUR = 3_600_000

/** Milliseconds this process has run. */
let even = 0
let wall = START
let moves: number[] = []
let clock: SteadyClock
beforeEach(() => {
  even = 0
  wall = START
  moves = []
  clock = new SteadyClock(
    () => wall,
    () => even,
  )
  clock.onSet((by) => moves.push(by))
})

/** The broker's own time is `ahead` of the one this clock began with, in whole seconds. By default as of the socket, which says no age. */
const receiveTime = (ahead: number, ageMs: number | null = null): void =>
  clock.adjust(Math.floor((START + even + ahead) / 1_000) * 1_000, ageMs)

test.each([HOUR, -HOUR])('the machine’s clock jumps by %d ms, this one runs on evenly', (jump) => {
  wall += jump
  even = 20_000
  receiveTime(0)
  even = 30_000
  receiveTime(0)
  expect([clock.now(), moves]).toEqual([START + 30_000, []])
})

test.each([HOUR, -HOUR, 3_600])('a clock off by %d ms is set by the second message of the broker', (ahead) => {
  receiveTime(ahead)
  expect(clock.now()).toBe(START)
  even = 5_000
  receiveTime(ahead)
  expect(Math.abs(clock.now() - (START + 5_000 + ahead))).toBeLessThanOrEqual(500)
  expect(moves).toHaveLength(1)
})

/** Whether the time is known, and how far it is from the one this clock began with, ms. */
const states = (): [boolean, number] => [clock.isKnown, clock.now() - START - even]

describe('a process that begins', () => {
  test.each([HOUR, -HOUR, 9 * HOUR])('%d ms off is set by the first prompt reply', (ahead) => {
    expect(states()).toEqual([false, 0])
    receiveTime(ahead, 900)
    expect(states()).toEqual([true, ahead + 500])
    expect(moves).toHaveLength(1)
  })

  test('where that reply was wrong the next two set it again, in less than a minute', () => {
    receiveTime(HOUR, 0)
    for (let n = 0; n < 2; n += 1) {
      even += 2_000
      receiveTime(0, 0)
    }
    expect(Math.abs(states()[1])).toBeLessThanOrEqual(1_000)
  })

  test.each([
    ['a slow one', -8_000, 20_000],
    ['a prompt one', 0, 10],
    ['one over the socket', 0, null],
  ])('right knows it by %s that its clock explains', (_, ahead, ageMs) => {
    receiveTime(ahead, ageMs)
    expect([states(), moves]).toEqual([[true, 0], []])
  })

  test('whose broker says no time for a minute and a half goes by its own', () => {
    clock.adjust(null, 10)
    even = 89_999
    clock.adjust(null, 10)
    expect(states()).toEqual([false, 0])
    even = 90_000
    clock.adjust(null, 10)
    expect(states()).toEqual([true, 0])
  })

  test.each([
    ['a slow reply', 20_000],
    ['the socket alone', null],
  ])('hours off knows nothing by %s', (_, ageMs) => {
    receiveTime(-HOUR, ageMs)
    expect([states(), moves]).toEqual([[false, 0], []])
  })
})

test('a slow reply of a time that has passed sets nothing later either', () => {
  receiveTime(0, 0)
  for (let n = 0; n < 5; n += 1) {
    even += 5_000
    receiveTime(-30_000, 29_000)
  }
  expect(moves).toEqual([])
})

test('a difference of up to two seconds is the way and the rounding, not the clock', () => {
  for (const ahead of [2_000, -2_000, 2_400, -2_400]) {
    even += 10_000
    receiveTime(ahead)
  }
  expect(moves).toEqual([])
})

test('messages that were held up and come in one burst set nothing', () => {
  // The machine slept, or the broker froze: pings of 40, 30, 20 and 10 seconds ago.
  even = 60_000
  for (const late of [40_000, 30_000, 20_000, 10_000, 0]) receiveTime(-late)
  expect(moves).toEqual([])
  // Two of the same second set nothing either.
  receiveTime(-40_000)
  even += 1_499
  receiveTime(-40_000)
  expect(moves).toEqual([])
})

/** Two seconds later. */
function receiveTimeLater(ahead: number): void {
  even += 2_000
  receiveTime(ahead)
}

test('it is set at most once a minute', () => {
  for (let i = 0; i < 2; i += 1) receiveTimeLater(HOUR)
  expect(moves).toHaveLength(1)
  for (let i = 0; i < 29; i += 1) receiveTimeLater(0)
  expect(moves).toHaveLength(1)
  for (let i = 0; i < 2; i += 1) receiveTimeLater(0)
  expect(moves).toHaveLength(2)
})

/** Set just now, so that it is not set again within the minute. */
function setOnce(): void {
  for (let n = 0; n < 2; n += 1) receiveTimeLater(HOUR)
  expect([moves.length, clock.offMs]).toEqual([1, null])
}

describe('off and not set yet', () => {
  test('is what two messages say; a third that finds it right ends it', () => {
    setOnce()
    receiveTimeLater(0)
    expect(clock.offMs).toBeNull()
    receiveTimeLater(0)
    expect(clock.offMs).toBeLessThan(-HOUR + 2_000)
    receiveTimeLater(HOUR)
    expect(clock.offMs).toBeNull()
  })

  test('ends when it is set, after the minute', () => {
    setOnce()
    for (let n = 0; n < 31; n += 1) receiveTimeLater(0)
    expect([moves.length, clock.offMs]).toEqual([2, null])
  })

  test('a broker that says something else each time says nothing', () => {
    setOnce()
    for (const ahead of [0, 0, 20_000]) receiveTimeLater(ahead)
    expect(clock.offMs).toBeNull()
  })
})

test('the machine’s clock is held against the broker’s, where that says one', () => {
  expect(clock.machineAheadMs).toBeNull()
  clock.adjust(null, 10)
  expect(clock.machineAheadMs).toBeNull()
  receiveTime(0, 10)
  wall += HOUR
  expect(clock.machineAheadMs).toBe(HOUR)
})

test('a time that cannot be read sets nothing', () => {
  clock.adjust(Number.NaN, 0)
  even = 10_000
  clock.adjust(Number.NaN, 0)
  expect([clock.now(), moves]).toEqual([START + 10_000, []])
})
