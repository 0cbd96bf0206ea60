import { NOTIFICATION_KINDS } from '@digger/contract'
import { kstInstant } from '@digger/core'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { levelNow, nextBundleAt, NO_PREFERENCES, RECENT_MS } from './bundling.ts'

const NOW = kstInstant('20261116', 100_000)
const ago = (...seconds: number[]): number[] => seconds.map((s) => NOW - s * 1_000)
/** When the next bundle may be made, seconds from now. */
const wait = (...seconds: number[]): number => (nextBundleAt(ago(...seconds), NOW) - NOW) / 1_000

test.each<[string, number[], number]>([
  ['none before', [], 0],
  ['one this very ms', [0], 10],
  ['one 9.999 s ago', [9.999], 0.001],
  ['one 10 s ago', [10], 0],
  ['in any order', [300, 3, 200], 7],
  ['five within ten minutes: no load yet', [5, 100, 200, 300, 400], 5],
  ['six: load', [5, 100, 200, 300, 400, 500], 55],
  ['six, the oldest a ms within ten minutes', [5, 100, 200, 300, 400, 599.999], 55],
  ['six, the oldest ten minutes ago', [5, 100, 200, 300, 400, 600], 5],
  ['load, the last a minute ago', [60, 100, 200, 300, 400, 500], 0],
  // Made by a clock that has been set back since.
  ['one in time to come', [-3_600], 0],
  ['one in time to come, one 4 s ago', [-3_600, 4], 6],
  ['six in time to come are no load', [-1, -2, -3, -4, -5, -6, 1], 9],
])('%s', (_name, seconds, after) => expect(wait(...seconds)).toBeCloseTo(after, 6))

test('nobody ever waits for more than a minute, nor for the past', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: NOW - 2 * RECENT_MS, max: NOW + 2 * RECENT_MS })), (recent) => {
      const at = nextBundleAt(recent, NOW)
      expect(at).toBeGreaterThanOrEqual(NOW)
      expect(at - NOW).toBeLessThanOrEqual(60_000)
      // Whoever comes then waits no longer.
      expect(
        nextBundleAt(
          recent.filter((one) => one <= NOW),
          at,
        ),
      ).toBe(at)
    }),
  )
})

const at = (hhmmss: number): number => kstInstant('20261116', hhmmss)
const minutes = (hhmm: number): number => Math.floor(hhmm / 100) * 60 + (hhmm % 100)
const quiet = (from: number, to: number) => ({ levels: {}, quietFrom: minutes(from), quietTo: minutes(to) })

test.each<[string, number, number, number, 'on' | 'silent']>([
  ['none', 0, 0, 0, 'on'],
  ['the same twice is none, also by day', 1_200, 1_200, 120_000, 'on'],
  ['a ms before', 2_230, 2_300, 222_959, 'on'],
  ['its first minute', 2_230, 2_300, 223_000, 'silent'],
  ['its last second', 2_230, 2_300, 225_959, 'silent'],
  ['its end', 2_230, 2_300, 230_000, 'on'],
  ['over midnight, before', 2_300, 700, 225_959, 'on'],
  ['over midnight, begins', 2_300, 700, 230_000, 'silent'],
  ['over midnight, last second of the day', 2_300, 700, 235_959, 'silent'],
  ['over midnight, midnight', 2_300, 700, 0, 'silent'],
  ['over midnight, last second', 2_300, 700, 65_959, 'silent'],
  ['over midnight, ends', 2_300, 700, 70_000, 'on'],
  ['up to midnight', 2_200, 0, 235_959, 'silent'],
  ['up to midnight, then', 2_200, 0, 0, 'on'],
  ['from midnight', 0, 600, 0, 'silent'],
])('quiet hours, %s', (_name, from, to, now, level) => {
  expect(levelNow('bought', quiet(from, to), at(now))).toBe(level)
})

test('quiet hours take the sound and nothing else, whatever a person chose', () => {
  const levels = { bought: 'off', sold: 'silent', daySummary: 'on', channelOff: 'off', test: 'silent' } as const
  const of = (kind: (typeof NOTIFICATION_KINDS)[number], now: number) =>
    levelNow(kind, { ...quiet(2_300, 700), levels }, now)
  const [day, night] = [at(120_000), at(30_000)]
  const both = NOTIFICATION_KINDS.map((kind) => [kind, of(kind, day), of(kind, night)])
  const chosen = new Map<string, [string, string]>([
    ['bought', ['off', 'off']],
    ['sold', ['silent', 'silent']],
  ])
  expect(both).toEqual(NOTIFICATION_KINDS.map((kind) => [kind, ...(chosen.get(kind) ?? ['on', 'silent'])]))
  expect(levelNow('bought', NO_PREFERENCES, night)).toBe('on')
})
