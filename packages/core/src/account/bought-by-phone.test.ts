import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { dailyLimits } from '../krx/limit.ts'
import { asLoaded } from './as-loaded.ts'
import type { Execution } from './types.ts'
import { newAccount } from './view.ts'

type Held = readonly [count: number, averagePrice: number][]

const fix = (desk: Desk, held: Held, rows: readonly Execution[] = [], code: string | null = CODE) =>
  desk.wait(12_000).ask({ kind: 'fixBalance', code, snapshot: desk.snapshot([...ownRows(desk), ...rows], held) })

const ownRows = (desk: Desk) => [...desk.account.book.orders.keys()].map((id) => desk.row(id))

/** The broker takes what has left. */
function taken(desk: Desk): Desk {
  for (const { id, status } of desk.account.book.orders.values()) if (status === 'intended') desk.accept(id)
  return desk
}

/** As the regular readings see it, until a difference is believed. */
function see(desk: Desk, held: Held, rows: readonly Execution[] = []): Desk {
  for (let times = 0; times < 3; times += 1) {
    taken(desk)
      .wait(12_000)
      .read([...ownRows(desk), ...rows], held)
  }
  return taken(desk)
}

/** A trade of the person's own, in the broker's app. */
function byPhone(desk: Desk, side: 'buy' | 'sell', count: number, over: Partial<Execution> = {}): Execution {
  const probe = new Desk({ autoSell: false }).buyAt(70_000).row(1)
  const filled = { count, filledCount: count, filledAmount: count * 35_000, remainingCount: 0, price: 35_000 }
  return { ...probe, day: desk.account.book.day, odno: '0000000900', orderedAt: desk.now, side, ...filled, ...over }
}

const BAND = dailyLimits(35_000, 'stock', 'KOSPI')
const MOVED = { day: DAY, close: 70_000, base: 35_000 }
/** Six shares in the book after a 1:1 bonus issue; six more are to come. Everything is for sale 1.2 % above its price. */
function awaitingSix(): Desk {
  const desk = new Desk({ autoBuy: false, autoSell: true }).hold([1, 6, 70_000])
  desk.quote(35_000, { moved: MOVED, band: BAND }).timer()
  desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 6, snapshot: desk.snapshot([], [[6, 70_000]]) })
  expect(desk.stock.expected).toEqual({ count: 6, amount: 210_000 })
  desk.now = kstInstant('20261124', 100_000)
  return desk
    .quote(35_000, { band: BAND })
    .do({ kind: 'linked' })
    .wait(1_000)
    .read([], [[6, 35_000]])
}
/** Lots in live sells. */
const offered = (desk: Desk): number[] =>
  [...desk.account.book.orders.values()].flatMap(({ status, lots }) =>
    status === 'open' || status === 'intended' ? lots.map(({ lotId }) => lotId) : [],
  )

describe('shares bought by phone while new shares of a corporate action are to come', () => {
  test('are not taken for those by a correction, nor sold after it', () => {
    const desk = awaitingSix()
    const bought = byPhone(desk, 'buy', 4)
    see(desk, [[10, 35_000]], [bought])
    expect(fix(desk, [[10, 35_000]], [bought])).toMatchObject({ ok: true })
    expect(desk.stock.lots.at(-1)).toMatchObject({ count: 4, takenOver: true })
    expect(desk.stock.expected).toEqual({ count: 6, amount: 210_000 })
    desk.quote(35_000, { band: BAND }).timer()
    expect(offered(desk)).toEqual([1])
  })

  // To which of the two a fill counts nobody says, so that no sum of strangers' shares tells of it.
  test('nor by itself where an order of ours was changed in the broker’s app, and just as many filled', () => {
    const desk = awaitingSix()
    see(desk, [[12, 35_000]], [byPhone(desk, 'buy', 6, { originalOdno: '0000000041' })])
    expect(desk.stock).toMatchObject({ blocked: { code: 'mismatch' }, expected: { count: 6 } })
    expect(offered(desk)).toEqual([1])
  })

  test('nor after a restart, which forgets how many of the shares bought are in the book already', () => {
    const desk = awaitingSix()
    const first = byPhone(desk, 'buy', 4)
    see(desk, [[10, 35_000]], [first])
    fix(desk, [[10, 35_000]], [first])
    desk.account = newAccount(asLoaded(desk.account.book))
    desk.do({ kind: 'restarted', lateMs: 0 }).do({ kind: 'authorised', authorised: true })
    see(desk, [[16, 35_000]], [first, byPhone(desk, 'buy', 6, { odno: '0000000901' })])
    expect(desk.stock).toMatchObject({ blocked: { code: 'mismatch' }, expected: { count: 6 } })
    expect(desk.stock.lots.map(({ count, takenOver }) => [count, takenOver])).toEqual([
      [6, false],
      [4, true],
    ])
  })

  test('are not taken for those on the next day either', () => {
    const desk = awaitingSix()
    const bought = byPhone(desk, 'buy', 6)
    see(desk, [[12, 35_000]], [bought])
    expect(desk.stock.blocked).toMatchObject({ code: 'mismatch' })
    desk.now = kstInstant('20261125', 100_000)
    see(desk, [[12, 35_000]])
    expect([desk.stock.lots.length, desk.stock.blocked?.code, desk.stock.expected?.count]).toEqual([1, 'mismatch', 6])
    // Nobody can tell any more which they are: what a correction brings waits for the person.
    expect(fix(desk, [[12, 35_000]])).toMatchObject({ ok: true })
    desk.quote(35_000, { band: BAND }).timer()
    expect(desk.stock.lots.at(-1)).toMatchObject({ count: 6, takenOver: true })
    expect(offered(desk)).toEqual([1])
  })

  test('and those that do come then are still known', () => {
    const desk = awaitingSix()
    const bought = byPhone(desk, 'buy', 4)
    see(desk, [[10, 35_000]], [bought])
    fix(desk, [[10, 35_000]], [bought])
    desk.now = kstInstant('20261126', 100_000)
    see(desk, [[16, 35_000]])
    expect(desk.stock.lots.map(({ count, takenOver }) => [count, takenOver])).toEqual([
      [6, false],
      [4, true],
      [6, false],
    ])
    expect([desk.stock.blocked, desk.stock.expected]).toEqual([null, null])
  })
})

test('a sale of everything at its targets leaves out what was taken over', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000]).quote(70_000)
  const bought = byPhone(desk, 'buy', 5)
  see(desk, [[7, 60_000]], [bought])
  fix(desk, [[7, 60_000]], [bought])
  desk.quote(70_000)
  desk.ask({ kind: 'sellStock', code: CODE })
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
  desk.accept(1).wait(1_000).fill(1)
  expect(desk.wait(1_000).ask({ kind: 'sellStock', code: CODE })).toMatchObject({
    ok: false,
    text: expect.stringContaining('자동 매도'),
  })
})

test('the ladder’s reference does not go to the price of shares that were taken over', () => {
  const desk = new Desk({ recoverLastBuyPrice: true, lastBuyPrice: 68_600 }).hold([1, 2, 68_600]).quote(68_700).timer()
  const bought = byPhone(desk, 'buy', 5)
  see(desk, [[7, 30_000]], [bought])
  fix(desk, [[7, 30_000]], [bought])
  expect(desk.stock.lots.map(({ takenOver }) => takenOver)).toEqual([false, true])
  desk.wait(1_000).quote(69_500).fill(1)
  // None of the ladder's own is left: the price of the sale.
  expect(desk.stock.settings.lastBuyPrice).toBe(desk.order(1).price)
})
