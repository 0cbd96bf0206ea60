import { array, assert, boolean, integer, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../../test/desk.ts'
import { addDays, kstInstant } from '../../krx/kst.ts'
import { isTradingDay } from '../../krx/session.ts'
import { emptyBook, evolve } from '../evolve.ts'
import type { Fact } from '../facts.ts'
import { outlook } from '../outlook.ts'
import { nextOrders } from '../next-orders.ts'
import { ACCOUNT_LIMITS } from './defaults.ts'
import { changeFirstDays, firstDaysText } from './first-days.ts'
import type { FirstDays, FirstDaysRule } from './types.ts'

const RULE: FirstDaysRule = { on: true, days: 5, amount: 1_000_000 }
/** Four shares a buy where nothing holds it. */
const FOUR = { autoSell: false, buyUnitPrice: 300_000, maxBuyAmount: 10_000_000 }

function desk(rule: FirstDaysRule = RULE, settings: object = FOUR): Desk {
  const one = new Desk(settings)
  one.limits = { ...one.limits, firstDays: rule }
  return one.timer()
}

const state = ({ account }: Desk): FirstDays | undefined => account.book.limits.firstDays
const at = (one: Desk, day: string, time = 100_000): Desk => {
  one.now = kstInstant(day, time)
  return one.timer()
}
const lift = (one: Desk) => one.ask({ kind: 'setFirstDays', rule: { ...RULE, on: false } })

describe('who begins with them', () => {
  test('an account that never ordered, where the server asks for them', () => {
    expect(state(desk())).toEqual({ ...RULE, startedOn: null, usedDays: 0, pending: null })
  })

  test.each(['sim', 'paper', 'real'] as const)('with %s money: only where it is real', (env) => {
    const one = new Desk(FOUR)
    one.limits = ACCOUNT_LIMITS[env]
    expect(state(one.timer())).toEqual(
      env === 'real'
        ? { on: true, days: 5, amount: 1_000_000, startedOn: null, usedDays: 0, pending: null }
        : undefined,
    )
  })

  test('no other: one of before, or where nothing is asked for', () => {
    const old = new Desk(FOUR).buy(70_000)
    old.limits = { ...old.limits, firstDays: RULE }
    expect(state(old.timer())).toBeUndefined()
    expect(state(new Desk(FOUR).timer())).toBeUndefined()
  })

  test('who let them go is not made to begin again', () => {
    const one = desk()
    lift(one)
    at(one, addDays(DAY, 1))
    expect(state(at(one, addDays(DAY, 2)))?.on).toBe(false)
  })
})

describe('while they last', () => {
  test('an automatic buy is of one share, and says why; cash for one share is enough', () => {
    const one = desk().buyAt(70_000, 1)
    expect(one.live).toEqual(['1 buy 1 @ 70000 of 1 intended'])
    expect(one.order(1).why).toContain('첫 5일 동안은 한 번에 1주만 삽니다.')
  })

  test('what the unit does not pay for is not bought all the same', () => {
    const one = desk(RULE, { ...FOUR, buyUnitPrice: 60_000 }).buyAt(70_000)
    expect(one.live).toEqual([])
  })

  test('a buy by hand becomes one share, and says so', () => {
    const one = desk(RULE, { ...FOUR, maxBuyPrice: null, autoBuy: false }).quote(70_000)
    one.ask({ kind: 'marketBuy', code: CODE, amount: 350_000, cash: 10_000_000, askedAt: one.now })
    expect(one.order(1)).toMatchObject({ count: 1, type: 'market' })
    expect(one.order(1).why).toBe('사람이 낸 시장가 매수입니다. 첫 5일 동안은 한 번에 1주만 삽니다.')
  })

  test.each([
    [91_000, { ok: true }],
    [90_999, { ok: false, text: expect.stringContaining('하루 한도 90,999원') }],
  ])(
    'a market buy is measured by what it can cost, the upper limit of 91,000: %i won a day, bought %j',
    (amount, expected) => {
      const one = desk({ ...RULE, amount }, { ...FOUR, maxBuyPrice: null, autoBuy: false }).quote(70_000)
      const answer = one.ask({ kind: 'marketBuy', code: CODE, amount: 70_000, cash: 10_000_000, askedAt: one.now })
      expect(answer).toMatchObject(expected)
    },
  )

  test('the card and what waits say one share', () => {
    const one = desk().quote(80_000)
    expect(outlook(one.account, one.ctx, CODE).reasons).toContainEqual(
      expect.objectContaining({ code: 'firstDays', ok: true, text: '첫 5일 동안은 한 번에 1주만 삽니다.' }),
    )
    expect(nextOrders(one.account.book, 'active')).toMatchObject([{ side: 'buy', count: 1 }])
  })

  test('sells are as they were', () => {
    const one = desk(RULE, {}).hold([1, 7, 60_000]).quote(60_000).timer()
    expect(one.live).toEqual(['1 sell 7 @ 60800 of 1 intended'])
    expect(state(one)?.startedOn).toBeNull()
  })
})

describe('how long', () => {
  test('five trading days from the first buy on: over the weekend, and not while nothing was bought', () => {
    // 16 November 2026 is a Monday.
    const one = at(desk(), '20261118')
    expect(state(one)?.usedDays).toBe(0)
    one.buy(70_000)
    expect(state(one)?.startedOn).toBe('20261118')
    const used = ['20261119', '20261120', '20261121', '20261123', '20261124'].map(
      (day) => state(at(one, day))?.usedDays,
    )
    expect(used).toEqual([1, 2, 3, 3, 4])
    expect(state(one)?.on).toBe(true)
    expect(state(at(one, '20261125'))).toMatchObject({ on: false, usedDays: 0 })
    expect(firstDaysText(one.account.book.limits)).toBeNull()
  })

  test('days on which no server ran do not count', () => {
    const one = desk().buy(70_000)
    expect(state(at(one, '20261120'))?.usedDays).toBe(1)
    expect(state(at(one, '20261123'))).toMatchObject({ on: true, usedDays: 2 })
  })

  test('without a number of days until their owner lets go', () => {
    const one = desk({ ...RULE, days: null }).buy(70_000)
    expect(state(at(one, '20261231'))).toMatchObject({ on: true, days: null })
    expect(firstDaysText(one.account.book.limits)).toContain('풀 때까지')
  })
})

describe('changes', () => {
  test.each<[string, Partial<FirstDaysRule>, Partial<FirstDays>]>([
    ['fewer won hold at once', { amount: 500_000 }, { amount: 500_000, pending: null }],
    ['more days hold at once', { days: 10 }, { days: 10, pending: null }],
    ['until lifted holds at once', { days: null }, { days: null, pending: null }],
    [
      'more won wait',
      { amount: 2_000_000 },
      { amount: 1_000_000, pending: { ...RULE, amount: 2_000_000, from: '20261117' } },
    ],
    ['fewer days wait', { days: 2 }, { days: 5, pending: { ...RULE, days: 2, from: '20261117' } }],
    ['an end waits', { on: false }, { on: true, pending: { ...RULE, on: false, from: '20261117' } }],
    [
      'of both, each as it is',
      { amount: 500_000, days: 2 },
      { amount: 500_000, days: 5, pending: { on: true, amount: 500_000, days: 2, from: '20261117' } },
    ],
    ['the same again takes back what waits', {}, { pending: null }],
  ])('%s', (_name, change, expected) => {
    const one = desk()
    lift(one)
    expect(one.ask({ kind: 'setFirstDays', rule: { ...RULE, ...change } })).toMatchObject({ ok: true })
    expect(state(one)).toMatchObject(expected)
    const next = at(one, '20261117')
    expect(state(next)?.pending).toBeNull()
    expect(state(next)).toMatchObject({ ...RULE, ...change })
  })

  test('where there are none they begin at once, and count from the next buy', () => {
    const one = new Desk(FOUR).buy(70_000)
    one.ask({ kind: 'setFirstDays', rule: RULE })
    expect(state(one)).toEqual({ ...RULE, startedOn: null, usedDays: 0, pending: null })
  })

  test.each([
    [{ days: 0 }, 'days'],
    [{ days: 61 }, 'days'],
    [{ days: 1.5 }, 'days'],
    [{ amount: 0 }, 'amount'],
    [{ amount: 0.5 }, 'amount'],
    [{ amount: 1_000_000_000_001 }, 'amount'],
  ])('%j is refused', (change, field) => {
    const one = desk()
    const answer = one.ask({ kind: 'setFirstDays', rule: { ...RULE, ...change } })
    expect(answer).toMatchObject({ ok: false, code: 'INVALID', text: expect.stringMatching(`^${field}: `) })
    expect(one.facts).toEqual([])
  })
})

const anyRule = record({
  on: boolean(),
  days: option(integer({ min: 1, max: 60 }), { nil: null }),
  amount: integer({ min: 1, max: 5_000_000 }),
})

test('no change loosens before its night, and after it the wish holds', () => {
  assert(
    property(anyRule, anyRule, (before, wanted) => {
      const state: FirstDays = { ...before, on: true, startedOn: DAY, usedDays: 0, pending: null }
      const next = changeFirstDays(state, wanted, DAY)
      expect(next.on).toBe(true)
      expect(next.amount).toBeLessThanOrEqual(before.amount)
      expect(next.days ?? Infinity).toBeGreaterThanOrEqual(before.days ?? Infinity)
      const opened: Fact = { kind: 'dayOpened', day: addDays(DAY, 1), at: 1 }
      const book = [{ kind: 'firstDaysSet', firstDays: next, at: 0 } as const, opened].reduce(evolve, emptyBook(DAY))
      expect(book.limits.firstDays).toMatchObject({ ...(wanted.on ? wanted : { on: false }), pending: null })
    }),
  )
})

test('however the days are cut, each trading day counts that the account was open on', () => {
  const days = array(integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 })
  assert(
    property(days, (gaps) => {
      const one = desk({ ...RULE, days: 60 }).buy(70_000)
      const opened = [DAY]
      for (const gap of gaps) {
        const day = addDays(opened.at(-1) ?? DAY, gap)
        at(one, day)
        opened.push(day)
      }
      const over = opened.slice(0, -1).filter((day) => isTradingDay(day, one.ctx.timetable))
      expect(state(one)?.usedDays).toBe(over.length)
    }),
    { numRuns: 50 },
  )
})

test('all of it comes back from the journal', () => {
  const one = desk().buy(70_000)
  lift(one)
  at(one, '20261117')
  const again: Fact[] = JSON.parse(JSON.stringify(one.journal))
  expect(again.reduce(evolve, emptyBook(DAY))).toEqual(one.account.book)
})
