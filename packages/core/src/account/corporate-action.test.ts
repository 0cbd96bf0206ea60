import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { dailyLimits } from '../krx/limit.ts'
import { outlook } from './outlook.ts'
import type { BaseMove } from './types.ts'

const MOVED: BaseMove = { day: DAY, close: 70_000, base: 35_000 }
const HALF = { moved: MOVED, band: dailyLimits(35_000, 'stock', 'KOSPI') }
const THREE = [
  [1, 2, 70_000],
  [2, 2, 69_300],
  [3, 2, 68_600],
] as const

/** Three lots on the morning of a 1:1 bonus issue. */
function morning(settings = {}): Desk {
  const desk = new Desk({ lastBuyPrice: 68_600, ...settings })
  return desk.hold([...THREE[0]], [...THREE[1]], [...THREE[2]])
}

const codes = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map(({ code }) => code)
const adjust = (desk: Desk, held = 6) =>
  desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held, snapshot: desk.snapshot([], [[held, 69_300]]) })

test('on an ex-rights day the ladder buys nothing and sells nothing, all day long', () => {
  const desk = morning()
  for (let price = 35_000; price > 24_500; price -= 350) {
    desk.wait(6_000).price(price, HALF)
    desk.cash(1_000).timer()
    expect(desk.sent).toEqual([])
  }
  expect(desk.stock.frozen).toEqual(MOVED)
  expect(codes(desk)).toEqual(['frozen', 'frozen'])
})

test('the price that shows the move is refused already', () => {
  const desk = morning({ autoSell: false }).cash(1_000)
  desk.price(35_000, HALF)
  expect([desk.sent, desk.stock.frozen]).toEqual([[], MOVED])
})

test('a buy that rests when the move becomes known is taken back at once, with its price of another share', () => {
  const desk = new Desk({ autoSell: false }).buyAt(69_000).accept(1).wait(2_000)
  desk.quote(35_000, HALF).timer()
  expect([desk.cancels, desk.order(1).status]).toEqual([[1], 'cancelling'])
})

test('what rests automatically is taken back, what a person sells goes on', () => {
  const desk = morning({ autoBuy: false }).quote(69_000).timer()
  desk.accept(...desk.sent).wait(2_000)
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'market' })
  desk.quote(35_000, HALF).timer()
  expect(desk.cancels).toHaveLength(2)
  const rows = [1, 2, 3].map((id) => desk.row(id, { remainingCount: 0, cancelled: true }))
  desk.wait(2_000).read(rows)
  expect(desk.sent).toHaveLength(1)
  expect(desk.order(4)).toMatchObject({ origin: 'person', status: 'intended' })
})

describe('a person settles it', () => {
  test('by adjusting: settings and lots follow in one fact, and the ladder goes on from there', () => {
    const desk = morning({ maxBuyPrice: 75_000 }).quote(35_000, HALF).timer()
    expect(adjust(desk)).toMatchObject({ ok: true })
    expect(desk.facts.map(({ kind }) => kind)).toContain('stockAdjusted')
    expect(desk.lots).toEqual(['1: 2 @ 35000', '2: 2 @ 34650', '3: 2 @ 34300'])
    expect(desk.stock).toMatchObject({ frozen: null, settledOn: DAY, expected: { count: 6, amount: 207_900 } })
    expect(desk.stock.settings).toMatchObject({ lastBuyPrice: 34_300, maxBuyPrice: 37_500 })
    expect(desk.live).toEqual([
      '1 sell 2 @ 34750 of 3 intended',
      '2 sell 2 @ 35100 of 2 intended',
      '3 sell 2 @ 35450 of 1 intended',
    ])
    expect(desk.wait(1_000).timer().stock.frozen).toBe(null)
  })

  test('by keeping: everything stays and goes on', () => {
    const desk = morning({ autoSell: false }).quote(35_000, HALF).timer()
    expect(desk.ask({ kind: 'keepStock', code: CODE, day: DAY })).toMatchObject({ ok: true })
    expect(desk.stock).toMatchObject({ frozen: null, settledOn: DAY, settings: { lastBuyPrice: 68_600 } })
    expect(desk.wait(1_000).timer().stock.frozen).toBe(null)
    desk.wait(10_000).quote(35_000, HALF).cash(1_000)
    expect(desk.sent).toHaveLength(1)
  })

  test('only what they saw, and not while orders are out', () => {
    const desk = morning().quote(69_000).timer()
    desk.accept(...desk.sent)
    desk.wait(2_000).quote(35_000, HALF).timer()
    const rows = [1, 2, 3].map((id) => desk.row(id))
    const snapshot = desk.snapshot(rows, [[6, 69_300]])
    expect(desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 6, snapshot })).toMatchObject({
      ok: false,
      code: 'CONFLICT',
    })
    expect(desk.ask({ kind: 'keepStock', code: CODE, day: '20261113' })).toMatchObject({ ok: false, code: 'CONFLICT' })
    expect(desk.stock.frozen).toEqual(MOVED)
  })

  test('not when the broker has credited shares since', () => {
    const desk = morning().quote(35_000, HALF).timer()
    const snapshot = desk.snapshot([], [[12, 34_650]])
    expect(desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 6, snapshot })).toMatchObject({
      ok: false,
      code: 'CONFLICT',
      text: expect.stringContaining('6주에서 12주로'),
    })
    expect(desk.stock.frozen).toEqual(MOVED)
    expect(desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 12, snapshot })).toMatchObject({ ok: true })
  })

  test('not without the broker’s shares', () => {
    const desk = morning().quote(35_000, HALF).timer()
    const snapshot = desk.snapshot([], null)
    expect(desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 6, snapshot })).toMatchObject({
      ok: false,
      code: 'BUSY',
    })
  })
})

const seenTwice = (desk: Desk, held: number, rows: Parameters<Desk['read']>[0] = []): Desk => {
  desk.read(rows, [[held, 34_650]]).wait(12_000)
  return desk.read(rows, [[held, 34_650]])
}
const paid = (desk: Desk): number => desk.stock.lots.reduce((sum, lot) => sum + lot.buyAmount, 0)

describe('the new shares come weeks later', () => {
  const LATER = kstInstant('20261224', 100_000)
  const adjusted = (): Desk => {
    const desk = morning({ autoBuy: false, autoSell: false }).quote(35_000, HALF).timer()
    adjust(desk)
    desk.now = LATER
    return desk
  }
  const WITH_THEM = ['1: 2 @ 35000', '2: 2 @ 34650', '3: 2 @ 34300', '4: 6 @ 34650']

  test('all of them, seen twice: they enter the book at what was kept for them, and nothing stops', () => {
    const desk = adjusted().read([], [[12, 34_650]])
    expect(desk.lots).toHaveLength(3)
    seenTwice(desk, 12)
    expect(desk.lots).toEqual(WITH_THEM)
    expect([desk.stock.blocked, desk.stock.expected, desk.stock.lots.at(-1)?.takenOver]).toEqual([null, null, false])
    expect(paid(desk)).toBe(415_800)
  })

  test('those of the shares that the person keeps are the person’s', () => {
    const desk = morning({ autoBuy: false, autoSell: false })
    desk.ask({ kind: 'keepShares', code: CODE, count: 100 })
    desk.quote(35_000, HALF).timer()
    adjust(desk, 106)
    expect(desk.stock).toMatchObject({ kept: 100, expected: { count: 6, ofPerson: 100 } })
    desk.now = LATER
    seenTwice(desk, 212)
    expect(desk.lots).toEqual(WITH_THEM)
    expect(desk.stock).toMatchObject({ kept: 200, expected: null, blocked: null })
  })

  test('fewer than were to come are divided as they were expected: none of the person’s enters the book', () => {
    const desk = morning({ autoBuy: false, autoSell: false })
    desk.ask({ kind: 'keepShares', code: CODE, count: 6 })
    desk.quote(35_000, HALF).timer()
    adjust(desk, 12)
    desk.now = LATER
    seenTwice(desk, 20)
    desk.wait(12_000).ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot([], [[20, 34_650]]) })
    expect(desk.lots).toEqual([...WITH_THEM.slice(0, 3), '4: 4 @ 34650'])
    expect(desk.stock).toMatchObject({ kept: 10, expected: { count: 2, amount: 69_300, ofPerson: 2 }, blocked: null })
  })

  test('other than were to come: the difference is named, and a person fixes it', () => {
    const desk = seenTwice(adjusted(), 11)
    expect(desk.stock.blocked).toMatchObject({
      code: 'mismatch',
      text: expect.stringContaining('권리락 때 받기로 한 주식'),
    })
    desk.wait(12_000).ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot([], [[11, 34_650]]) })
    expect(desk.lots).toEqual([...WITH_THEM.slice(0, 3), '4: 5 @ 34650'])
    expect([desk.stock.blocked, desk.stock.expected]).toEqual([null, { count: 1, amount: 34_650 }])
    expect(paid(seenTwice(desk, 12))).toBe(415_800)
  })

  test('while the stock is to be settled once more, nothing enters', () => {
    const desk = adjusted()
    desk.quote(17_500, { moved: { day: '20261224', close: 35_000, base: 17_500 } }).timer()
    seenTwice(desk, 12)
    expect(desk.stock).toMatchObject({ frozen: { base: 17_500 }, expected: { count: 6 } })
    expect(desk.lots).toHaveLength(3)
  })

  test('what somebody bought outside the book is not taken for them', () => {
    const desk = adjusted()
    const probe = new Desk({ autoSell: false }).buyAt(70_000)
    const bought = probe.row(1, { count: 6, filledCount: 6, filledAmount: 210_000, remainingCount: 0, price: 35_000 })
    seenTwice(desk, 12, [{ ...bought, day: '20261224', odno: '0000000900', orderedAt: LATER - 60_000 }])
    expect(desk.stock).toMatchObject({ blocked: { code: 'mismatch' }, expected: { count: 6 } })
    expect(desk.lots).toHaveLength(3)
  })
})

test('a split whose shares are there: the difference ends with the adjustment, and fix-balance waits for it', () => {
  const desk = morning({ autoBuy: false, autoSell: false })
  const split = { moved: { day: DAY, close: 70_000, base: 14_000 } }
  desk.quote(14_000, split).timer()
  desk.read([], [[30, 13_860]]).wait(12_000)
  desk.read([], [[30, 13_860]])
  expect(desk.stock.blocked?.code).toBe('mismatch')
  const snapshot = () => desk.snapshot([], [[30, 13_860]])
  expect(desk.wait(12_000).ask({ kind: 'fixBalance', code: CODE, snapshot: snapshot() })).toMatchObject({ ok: false })
  expect(desk.lots).toEqual(['1: 2 @ 70000', '2: 2 @ 69300', '3: 2 @ 68600'])
  desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 30, snapshot: snapshot() })
  expect(desk.lots).toEqual(['1: 10 @ 14000', '2: 10 @ 13860', '3: 10 @ 13720'])
  expect(desk.stock.blocked).toBe(null)
})

test('a merger: lots that were less than a new share are closed without a sale', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 12, 14_000], [2, 1, 14_000])
  desk.quote(70_000, { moved: { day: DAY, close: 14_000, base: 70_000 } }).timer()
  expect(adjust(desk, 2)).toMatchObject({ ok: true })
  expect(desk.lots).toEqual(['1: 2 @ 84000'])
  expect(desk.facts.find((fact) => fact.kind === 'lotSold')).toMatchObject({ lotId: 2, trade: { sellAmount: null } })
})

describe('the base price is the judge', () => {
  test('a base that turns out to be the close thaws the stock', () => {
    const desk = morning().quote(35_000, HALF).timer()
    desk.wait(1_000).quote(70_000, { moved: null }).timer()
    expect(desk.stock).toMatchObject({ frozen: null, settledOn: null })
  })

  test('but not the next day: what nobody settled stays frozen', () => {
    const desk = morning().quote(35_000, HALF).timer()
    desk.now = kstInstant('20261117', 90_100)
    expect(desk.quote(35_000, { moved: null }).timer().stock.frozen).toEqual(MOVED)
  })

  test('a second move before the first is settled joins it', () => {
    const desk = morning().quote(35_000, HALF).timer()
    desk.now = kstInstant('20261117', 90_100)
    desk.quote(18_000, { moved: { day: '20261117', close: 36_000, base: 18_000 } }).timer()
    expect(desk.stock.frozen).toEqual({ day: '20261117', close: 72_000, base: 18_000 })
  })

  test('unknown freezes nothing', () => {
    const desk = morning().quote(69_000).timer()
    expect([desk.stock.frozen, desk.live.length]).toEqual([null, 3])
  })

  test('a stock added that day has the prices of that day', () => {
    const desk = new Desk()
    const listing = {
      issue: { code: '000660', kind: 'stock', market: 'KOSPI', nxt: false },
      name: 'SK하이닉스',
    } as const
    const settings = { ...desk.stock.settings, maxBuyPrice: 40_000 }
    desk.ask({ kind: 'updateStock', code: '000660', version: null, settings, listing })
    desk.quotes.set('000660', { price: 35_000, at: desk.now, live: true, halted: false, band: null, moved: MOVED })
    desk.timer()
    expect(desk.account.book.stocks.get('000660')?.frozen).toBe(null)
  })

  test('a stock without any price is not frozen', () => {
    const desk = new Desk({ lastBuyPrice: null, maxBuyPrice: null, minSellPrice: null, autoBuy: false })
    expect(desk.quote(35_000, HALF).timer().stock.frozen).toBe(null)
  })
})
