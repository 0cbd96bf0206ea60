import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import * as core from '../packages/core/src/krx/kst.ts'
import * as kis from '../packages/kis/src/kst.ts'

/**
 * The broker's client may import nothing of ours, so it has its own few lines about Korean days and times. They must mean
 * what core means by them: for every instant, day and time of the years in which anything is traded.
 */
const instant = fc.integer({ min: Date.UTC(1990, 0), max: Date.UTC(2100, 0) })
const day = instant.map(core.kstDay)
const time = instant.map(core.kstTime)

test('the same day and time of every instant', () =>
  fc.assert(
    fc.property(instant, (at) => {
      expect([kis.kstDay(at), kis.kstTime(at)]).toEqual([core.kstDay(at), core.kstTime(at)])
    }),
  ))

test('the same instant of every day and time', () =>
  fc.assert(
    fc.property(day, time, (someDay, someTime) => {
      expect(kis.kstInstant(someDay, someTime)).toBe(core.kstInstant(someDay, someTime))
    }),
  ))

test('the same day before and the same first day of a month', () =>
  fc.assert(
    fc.property(day, fc.nat(30), (someDay, months) => {
      expect(kis.dayBefore(someDay)).toBe(core.addDays(someDay, -1))
      expect(kis.monthStart(someDay, months)).toBe(core.monthRange(someDay, -months).from)
    }),
  ))

test('the same days are days of the calendar', () =>
  fc.assert(
    fc.property(fc.stringMatching(/^20\d{2}[01]\d[0-3]\d$/), (text) => {
      expect(Number.isNaN(kis.kstInstant(text, '000000'))).toBe(!core.isDay(text))
    }),
  ))
