import { describe, expect, test } from 'vitest'
import { cashFor, CODE, Desk, ISSUE } from '../../test/desk.ts'
import { dailyLimits } from '../krx/limit.ts'
import { outlook } from './outlook.ts'
import type { Effect } from './step-types.ts'

const asks = (effects: readonly Effect[]): number => effects.filter((effect) => effect.kind === 'askCash').length
const reasons = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.text)

/** As many stocks as wanted, all with the settings of the example; `CODE` is the first. */
function market(count: number): { desk: Desk; codes: string[] } {
  const desk = new Desk({ autoSell: false, maxBuyAmount: 10_000_000 })
  desk.env = 'real'
  const codes = [CODE, ...Array.from({ length: count - 1 }, (_, n) => String(100_000 + n))]
  for (const code of codes.slice(1)) {
    const settings = desk.stock.settings
    desk.putFacts({ kind: 'stockAdded', code, name: code, issue: { ...ISSUE, code }, settings, at: 0 })
  }
  return { desk, codes }
}

function priceAll(desk: Desk, codes: readonly string[], price: number): number {
  let asked = 0
  for (const code of codes) {
    desk.quotes.set(code, {
      price,
      at: desk.now,
      live: true,
      halted: false,
      band: dailyLimits(70_000, 'stock', 'KOSPI'),
    })
    asked += asks(desk.do({ kind: 'price', code }).effects)
  }
  return asked
}

test('forty stocks at their price send one cash query, and no second one while it waits', () => {
  const { desk, codes } = market(40)
  expect(priceAll(desk, codes, 70_000)).toBe(1)
  desk.wait(30_000)
  expect(priceAll(desk, codes, 70_000) + asks(desk.timer().effects)).toBe(0)
})

test('one answer serves every stock, each buy taking its part of it', () => {
  const { desk, codes } = market(8)
  priceAll(desk, codes, 70_000)
  // Two shares each: enough for three of the eight.
  desk.do({ kind: 'cash', amount: cashFor(7), askedAt: desk.now })
  expect(desk.live).toHaveLength(3)
})

test('its age counts from when the query left, not from when it was wanted', () => {
  const { desk, codes } = market(1)
  priceAll(desk, codes, 70_000)
  desk.wait(25_000).quote(70_000)
  desk.do({ kind: 'cash', amount: cashFor(100), askedAt: desk.now - 2_000 })
  expect(desk.sent).toEqual([1])
})

test('while prices are near, a new query leaves before the answer is too old to use', () => {
  const desk = new Desk({ lastBuyPrice: 70_000 }).price(69_900).cash(100)
  expect(asks(desk.wait(4_999).price(69_900).effects)).toBe(0)
  expect(asks(desk.wait(1).price(69_900).effects)).toBe(1)
})

test('a query without any reply is given up after a minute', () => {
  const desk = new Desk().price(70_000)
  expect(asks(desk.wait(59_999).price(70_000).effects)).toBe(0)
  expect(asks(desk.wait(1).price(70_000).effects)).toBe(1)
})

test('a stock that lacks cash goes on asking: money may have come', () => {
  const desk = new Desk().price(70_000).cash(1)
  expect(asks(desk.wait(5_000).price(70_000).effects)).toBe(1)
  desk.cash(2)
  expect(desk.sent).toEqual([1])
})

test('without the permission to use the broker nothing is asked, and again once it is there', () => {
  const desk = new Desk().price(70_000).cash(1).do({ kind: 'authorised', authorised: false })
  expect(asks(desk.wait(5_000).price(70_000).effects)).toBe(0)
  expect(asks(desk.do({ kind: 'authorised', authorised: true }).price(70_000).effects)).toBe(1)
})

describe('what the answer does not include is taken off', () => {
  test('a buy taken since, also when it has filled meanwhile', () => {
    const { desk, codes } = market(2)
    priceAll(desk, [CODE], 70_000)
    const askedAt = desk.now
    desk.cash(3).wait(100).accept(1).wait(100).fill(1)
    priceAll(desk, codes, 69_300)
    desk.do({ kind: 'cash', amount: cashFor(2) + cashFor(2, 69_300) - 1, askedAt })
    expect(desk.live).toEqual([])
  })

  test('the fee: an account with just the price buys nothing', () => {
    const desk = new Desk().price(70_000).do({ kind: 'cash', amount: 140_000, askedAt: 0 })
    desk.do({ kind: 'cash', amount: 140_699, askedAt: desk.now })
    expect(desk.sent).toEqual([])
    expect(desk.wait(5_000).price(70_000).do({ kind: 'cash', amount: 140_700, askedAt: desk.now }).sent).toEqual([1])
  })
})

describe('a due order that waits says so', () => {
  test('with its cause, and since when, which screens count from', () => {
    const desk = new Desk().price(70_000)
    const since = desk.now
    desk.wait(31_000).quote(70_000).timer()
    expect(reasons(desk)[0]).toBe('살 수 있는 금액을 증권사에 묻는 중입니다.')
    expect([...desk.account.view.stocks.dueSince]).toEqual([[`buy ${CODE}`, since]])
  })

  test('and is no longer due when it went out, or when the price has gone', () => {
    const desk = new Desk().price(70_000)
    expect([...desk.account.view.stocks.dueSince.keys()]).toEqual([`buy ${CODE}`])
    expect(desk.price(80_000).timer().account.view.stocks.dueSince.size).toBe(0)
    expect(desk.price(70_000).cash(100).timer().account.view.stocks.dueSince.size).toBe(0)
  })

  test('nor does what was due of a stock that is deleted: added again it is not late from the first second', () => {
    const desk = new Desk().price(70_000)
    expect(desk.account.view.stocks.dueSince.size).toBe(1)
    desk.ask({ kind: 'deleteStock', code: CODE })
    expect(desk.account.view.stocks.dueSince.size).toBe(0)
  })

  test('a sale that waits for the comparison, too', () => {
    const desk = new Desk({ autoBuy: false }).do({ kind: 'linked' }).hold([1, 2, 70_000]).timer()
    expect([...desk.account.view.stocks.dueSince.keys()]).toEqual([`sell ${CODE}`])
    desk
      .wait(1_000)
      .read([], [[2, 70_000]])
      .timer()
    expect([desk.live, desk.account.view.stocks.dueSince.size]).toEqual([['1 sell 2 @ 70900 of 1 intended'], 0])
  })
})

test('a due buy goes out by the clock when what held it back has passed, without waiting for the next price', () => {
  const desk = new Desk({ autoSell: false }).do({ kind: 'linked' }).price(70_000).cash(100)
  expect(desk.sent).toEqual([])
  desk.wait(1_000).read([], []).quote(70_000)
  expect(desk.timer().sent).toEqual([1])
})
