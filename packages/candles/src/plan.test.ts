import { addDays, knownTimetable } from '@digger/core'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callsLeft } from './cost.ts'
import { lastFinishedDay, nextDays, nextMinutes } from './plan.ts'
import { callsFor } from './read-days.ts'

const at = (day: string, time: string): number => Date.parse(`${day}T${time}+09:00`)
const KRX = knownTimetable('krx')
const none = { from_day: null, to_day: null, is_complete: false }

describe('the last day that is over', () => {
  test.each([
    ['2026-11-20', '12:00:00', '20261119'],
    ['2026-11-20', '20:09:59', '20261119'],
    ['2026-11-20', '20:10:00', '20261120'],
    ['2026-11-22', '12:00:00', '20261120'],
    ['2026-11-23', '00:30:00', '20261120'],
    // A college entrance exam: the day began an hour later, and may end so.
    ['2026-11-19', '20:30:00', '20261118'],
    ['2026-11-19', '21:10:00', '20261119'],
  ])('%s %s: %s', (day, time, last) => expect(lastFinishedDay(at(day, time), KRX)).toBe(last))
})

describe('days', () => {
  test.each([
    ['nothing is there: this year first', none, { kind: 'back', from: '20260101', to: '20261120' }],
    [
      'a part of this year',
      { ...none, from_day: '20260101', to_day: '20261120' },
      { kind: 'back', from: '20250101', to: '20251231' },
    ],
    [
      'nine years',
      { ...none, from_day: '20170101', to_day: '20261120' },
      { kind: 'back', from: '20161120', to: '20161231' },
    ],
    ['ten years', { ...none, from_day: '20161120', to_day: '20261120' }, { kind: 'end' }],
    ['all there is', { from_day: '20210101', to_day: '20261120', is_complete: true }, { kind: 'end' }],
    [
      'new days come first',
      { ...none, from_day: '20260101', to_day: '20261118' },
      { kind: 'append', from: '20261028', to: '20261120' },
    ],
    [
      'an overlap never reaches before what is there',
      { ...none, from_day: '20261115', to_day: '20261118' },
      { kind: 'append', from: '20261115', to: '20261120' },
    ],
  ])('%s', (_name, series, step) => expect(nextDays(series, '20261120')).toEqual(step))

  test('are read in at most eleven steps back, each of one year and four calls at most, without a gap', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 }), (n) => {
        const last = addDays('20160101', n)
        const steps = stepsBack(last)
        expect(steps.length).toBeLessThanOrEqual(11)
        expect(steps[0]?.to).toBe(last)
        for (const [at, step] of steps.entries()) {
          expect(step.from.slice(0, 4)).toBe(step.to.slice(0, 4))
          expect(callsFor(step)).toBeLessThanOrEqual(4)
          expect(steps[at + 1]?.to ?? addDays(step.from, -1)).toBe(addDays(step.from, -1))
        }
      }),
    ))
})

/** Of a stock of which nothing is there, until all is. */
function stepsBack(last: string): { from: string; to: string }[] {
  const steps: { from: string; to: string }[] = []
  let series: Parameters<typeof nextDays>[0] = none
  while (steps.length < 50) {
    const step = nextDays(series, last)
    if (step.kind !== 'back') break
    steps.push(step)
    series = { from_day: step.from, to_day: series.to_day ?? step.to, is_complete: false }
  }
  return steps
}

describe('minutes', () => {
  const traded = ['20260701', '20261117', '20261118', '20261120']
  test.each([
    ['the newest day first', none, { kind: 'minutes', day: '20261120', isNew: true }],
    [
      'then backwards',
      { ...none, from_day: '20261120', to_day: '20261120' },
      { kind: 'minutes', day: '20261118', isNew: false },
    ],
    ['to what is wanted', { ...none, from_day: '20261117', to_day: '20261120' }, { kind: 'end' }],
    [
      'new days before old ones',
      { ...none, from_day: '20261118', to_day: '20261118' },
      { kind: 'minutes', day: '20261120', isNew: true },
    ],
    [
      'no further where the broker has none',
      { from_day: '20261118', to_day: '20261120', is_complete: true },
      { kind: 'end' },
    ],
  ])('%s', (_name, series, step) => expect(nextMinutes(series, '20261120', traded)).toEqual(step))
  test('of a stock that was not traded are none', () =>
    expect(nextMinutes(none, '20261120', [])).toEqual({ kind: 'end' }))
})

test('what is left to ask for grows less with each step, and nothing is left of what is given up', () => {
  const now = at('2026-11-20', '21:00:00')
  const left = (from_day: string | null, more = {}) =>
    callsLeft({ unit: 'day', isComplete: false, from_day, note: null, ...more }, now)
  const steps = [null, '20260101', '20240101', '20180101', '20161120'].map((from) => left(from))
  expect(steps).toEqual(steps.toSorted((a, b) => b - a))
  expect(steps[0]).toBeGreaterThan(75)
  expect(steps.at(-1)).toBe(0)
  expect(left(null, { isComplete: true })).toBe(0)
  expect(left(null, { note: '증권사가 주지 않습니다.' })).toBe(0)
  expect(left(null, { unit: 'minute' })).toBeGreaterThan(400)
})
