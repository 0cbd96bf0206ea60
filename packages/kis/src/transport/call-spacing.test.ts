import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallSpacing } from './call-spacing.ts'

test('one refusal now and then changes nothing', () => {
  const spacing = new CallSpacing(100)
  for (let minute = 0; minute < 60; minute += 1) spacing.onRefusal(minute * 60_000)
  expect(spacing.current(3_600_000)).toBe(100)
})

test('refusals that keep coming widen it by half each, up to 400 ms', () => {
  const spacing = new CallSpacing(100)
  const widths = [0, 1_000, 2_000, 3_000, 4_000, 5_000, 6_000].map((at) => {
    spacing.onRefusal(at)
    return Math.round(spacing.current(at))
  })
  expect(widths).toEqual([100, 150, 224, 336, 400, 400, 400])
})

test('refusals of calls that were sent together count once', () => {
  const spacing = new CallSpacing(100)
  for (const at of [0, 10, 20, 30]) spacing.onRefusal(at)
  expect(spacing.current(30)).toBe(100)
})

test('it shrinks slowly, and ends where it began', () => {
  const spacing = new CallSpacing(100)
  for (let at = 0; at < 10_000; at += 1_000) spacing.onRefusal(at)
  expect(spacing.current(9_000)).toBe(400)
  expect(spacing.current(9_000 + 60_000)).toBe(370)
  expect(spacing.current(9_000 + 600_000)).toBe(100)
})

test('never below its base nor above 400 ms, whatever comes when; no limit stays no limit', () => {
  fc.assert(
    fc.property(fc.constantFrom(0, 50, 100, 400, 1_200), fc.array(fc.nat(60_000)), (base, gaps) => {
      const spacing = new CallSpacing(base)
      let now = 0
      for (const gap of gaps) {
        now += gap
        spacing.onRefusal(now)
        expect(spacing.current(now)).toBeGreaterThanOrEqual(base)
        expect(spacing.current(now)).toBeLessThanOrEqual(base === 0 ? 0 : Math.max(base, 400))
      }
    }),
  )
})
