import { assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { beginnerLimits } from './beginner.ts'
import { inForce, limitProblems } from './change.ts'
import { ACCOUNT_LIMITS } from './defaults.ts'
import type { LimitChange } from './types.ts'

const REAL = ACCOUNT_LIMITS.real
const SIM = ACCOUNT_LIMITS.sim
const propose = (worth: number, dearest = 0, own: LimitChange = {}, server = REAL) =>
  beginnerLimits({ worth, dearest, limits: { own }, server })
const values = (of: ReturnType<typeof propose>) => Object.fromEntries(of.map(({ name, value }) => [name, value]))

test('ten million won: half at most, a tenth a day, and each says why', () => {
  const proposed = propose(10_000_000)
  expect(values(proposed)).toEqual({
    positionAmount: 5_000_000,
    lossAmount: 300_000,
    dailyBuyAmount: 1_000_000,
    orderAmount: 200_000,
    personOrderAmount: 1_000_000,
    repeatCount: 3,
    unknownPerHour: 3,
    ordersPerMinute: 10,
    sellCollarPercent: 5,
  })
  for (const { why } of proposed) expect(why).toMatch(/[다요]\.$/)
  expect(proposed[0]?.why).toContain('10,000,000원의 절반')
})

test('one share of the dearest stock can be bought, and that is said', () => {
  const proposed = propose(10_000_000, 455_000)
  expect(values(proposed)).toMatchObject({ orderAmount: 455_000, dailyBuyAmount: 1_000_000 })
  expect(proposed.find(({ name }) => name === 'orderAmount')?.why).toContain('455,000원')
})

test.each([[0], [-5]])('of %i won nothing can be said', (worth) => expect(propose(worth)).toEqual([]))

test('what binds more already, or as much, is left as it is', () => {
  const own = { positionAmount: 1_000_000, lossAmount: 300_000, repeatCount: null }
  const names = propose(10_000_000, 0, own).map(({ name }) => name)
  expect(names).not.toContain('positionAmount')
  expect(names).not.toContain('lossAmount')
  expect(names).toContain('repeatCount')
})

test('every proposal can be saved, holds at once, and is never above the server', () => {
  assert(
    property(
      integer({ min: 1, max: 2_000_000_000 }),
      integer({ min: 0, max: 3_000_000 }),
      constantFrom(REAL, SIM),
      (worth, dearest, server) => {
        const proposed = propose(worth, dearest, {}, server)
        expect(limitProblems(values(proposed), server)).toEqual([])
        for (const { name, value } of proposed)
          expect(value).toBeLessThan(inForce({ own: {} }, server, name) ?? Infinity)
      },
    ),
  )
})
