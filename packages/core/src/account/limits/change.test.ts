import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ServerLimits } from '../types.ts'
import { changeLimits, inForce, isLooser, limitProblems } from './change.ts'
import { evolveLimits } from './evolve.ts'
import {
  LIMIT_NAMES,
  NO_LIMIT,
  noLimitState,
  type LimitChange,
  type LimitName,
  type LimitState,
  type UserLimits,
} from './types.ts'

const SERVER: ServerLimits = {
  orderAmount: 10_000_000,
  dailyBuyAmount: 50_000_000,
  ordersPerMinute: 120,
  collarPercent: 3,
  freshMs: 5_000,
  defaults: { positionAmount: 300_000_000, unknownPerHour: 10 },
}
const DAY = '20261116'
const NEXT = '20261117'

const changed = (state: LimitState, change: LimitChange, day = DAY): LimitState => ({
  ...state,
  ...changeLimits(state, change, SERVER, day),
})
const opened = (state: LimitState, day: string): LimitState => evolveLimits(state, { kind: 'dayOpened', day, at: 0 })

function inForceOf(state: LimitState): UserLimits {
  const all: Record<LimitName, number | null> = { ...NO_LIMIT }
  for (const limit of LIMIT_NAMES) all[limit] = inForce(state, SERVER, limit)
  return all
}

test('who chose nothing has the defaults, and never more than the server allows', () => {
  expect(inForceOf(noLimitState)).toEqual({
    ...NO_LIMIT,
    positionAmount: 300_000_000,
    unknownPerHour: 10,
    orderAmount: 10_000_000,
    dailyBuyAmount: 50_000_000,
    ordersPerMinute: 120,
  })
})

type Case = [name: string, before: LimitChange, change: LimitChange, now: number | null, waits: string[]]
test.each<Case>([
  ['tighter than the default', {}, { positionAmount: 299_999_999 }, 299_999_999, []],
  ['the default itself', {}, { positionAmount: 300_000_000 }, 300_000_000, []],
  ['a won more waits', {}, { positionAmount: 300_000_001 }, 300_000_000, ['positionAmount 300000001 20261117']],
  ['none waits', {}, { positionAmount: null }, 300_000_000, ['positionAmount null 20261117']],
  ['tighter than its own', { positionAmount: 5 }, { positionAmount: 4 }, 4, []],
  ['looser than its own', { positionAmount: 5 }, { positionAmount: 6 }, 5, ['positionAmount 6 20261117']],
  ['from none to any', { positionAmount: null }, { positionAmount: 9 }, 9, []],
  ['another limit stays', { positionAmount: 5 }, { lossAmount: 1 }, 5, []],
])('%s', (_name, own, change, now, waits) => {
  const state = changed({ ...noLimitState, own }, change)
  expect(inForce(state, SERVER, 'positionAmount')).toBe(now)
  expect(state.pending.map((one) => `${one.limit} ${one.value} ${one.from}`)).toEqual(waits)
})

test('a loosening waits for the next opening, each limit for itself', () => {
  const first = changed({ ...noLimitState, own: { positionAmount: 5, lossAmount: 5 } }, { positionAmount: 6 })
  const second = changed(first, { lossAmount: 7 }, NEXT)
  expect(inForce(opened(second, DAY), SERVER, 'positionAmount')).toBe(5)
  const morning = opened(second, NEXT)
  expect([inForce(morning, SERVER, 'positionAmount'), inForce(morning, SERVER, 'lossAmount')]).toEqual([6, 5])
  // Days on which nothing ran do not lose it.
  const later = opened(morning, '20261130')
  expect([inForce(later, SERVER, 'lossAmount'), later.pending]).toEqual([7, []])
})

test.each([
  ['the value in force takes it back', 5],
  ['a tightening cancels it', 4],
])('%s', (_name, value) => {
  const waiting = changed({ ...noLimitState, own: { positionAmount: 5 } }, { positionAmount: 9 })
  const state = changed(waiting, { positionAmount: value })
  expect(state.pending).toEqual([])
  expect(inForce(opened(state, NEXT), SERVER, 'positionAmount')).toBe(value)
})

test.each<[LimitChange, string | null]>([
  [{ positionAmount: 0 }, '1원부터'],
  [{ positionAmount: 1.5 }, '정수'],
  [{ positionAmount: 1_000_000_000_000 }, null],
  [{ positionAmount: 1_000_000_000_001 }, '정수'],
  [{ sellCollarPercent: 31 }, '30%'],
  [{ unknownPerHour: 0 }, null],
  [{ unknownPerHour: Number.NaN }, '정수'],
  [{ orderAmount: 10_000_000 }, null],
  [{ orderAmount: 10_000_001 }, '상한'],
  [{ dailyBuyAmount: 50_000_001 }, '상한'],
  [{ ordersPerMinute: 121 }, '상한'],
  [{ orderAmount: null }, null],
])('%j is refused for: %s', (change, text) => {
  const [problem] = limitProblems(change, SERVER)
  expect(problem?.text ?? '').toMatch(text ?? /^$/)
})

const value = fc.option(fc.integer({ min: 1, max: 200 }), { nil: null })
const change = fc.record(
  { positionAmount: value, lossAmount: value, orderAmount: value, ordersPerMinute: value, unknownPerHour: value },
  { requiredKeys: [] },
)

test('no change ever loosens today, and tomorrow just what was asked last holds', () =>
  fc.assert(
    fc.property(fc.array(change, { maxLength: 8 }), (changes) => {
      let state: LimitState = noLimitState
      const asked: LimitChange[] = []
      for (const one of changes) {
        const before = inForceOf(state)
        state = changed(state, one)
        asked.push(one)
        for (const limit of LIMIT_NAMES) expect(isLooser(inForce(state, SERVER, limit), before[limit])).toBe(false)
      }
      const wanted: LimitState = { ...noLimitState, own: Object.assign({}, ...asked) }
      expect(inForceOf(opened(state, NEXT))).toEqual(inForceOf(wanted))
    }),
  ))
