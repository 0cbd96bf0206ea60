import { describe, expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { addDays } from '../krx/kst.ts'
import { outlook } from './outlook.ts'
import type { Execution } from './types.ts'

type Held = readonly [count: number, averagePrice: number][]

const fix = (desk: Desk, held: Held, { rows = [], code = CODE }: { rows?: Execution[]; code?: string | null } = {}) =>
  desk.wait(12_000).ask({ kind: 'fixBalance', code, snapshot: desk.snapshot(rows, held) })

/** As the regular readings see it, until a difference is believed. */
function see(desk: Desk, held: Held, rows: Execution[] = []): Desk {
  for (let times = 0; times < 3; times += 1) desk.wait(12_000).read(rows, held)
  return desk
}

/** Ten shares in the book; a hundred are the person's. */
function sharing(): Desk {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 4, 70_000], [2, 6, 69_000])
  desk.ask({ kind: 'keepShares', code: CODE, count: 100 })
  return see(desk, [[110, 60_000]])
}

function soldByPhone(desk: Desk, count: number, over: Partial<Execution> = {}): Execution {
  const probe = new Desk({ autoSell: false }).buyAt(70_000).row(1)
  const filled = { count, filledCount: count, filledAmount: count * 72_000, remainingCount: 0, price: 72_000 }
  return { ...probe, odno: '0000000900', orderedAt: desk.now, side: 'sell', ...filled, ...over }
}
const sales = (desk: Desk) =>
  desk.journal.flatMap((fact) => (fact.kind === 'lotSold' ? [[fact.trade.count, fact.trade.sellPrice]] : []))

describe('fewer shares than the book and the person’s together', () => {
  test('a correction of everything takes nobody’s side; one of this stock alone goes by the number kept', () => {
    const desk = sharing()
    const sale = soldByPhone(desk, 5)
    see(desk, [[105, 60_000]], [sale])
    expect(desk.stock.blocked).toMatchObject({ short: true })
    expect(fix(desk, [[105, 60_000]], { rows: [sale], code: null })).toMatchObject({
      ok: false,
      text: expect.stringContaining('직접 관리하는'),
    })
    expect(desk.lots).toEqual(['1: 4 @ 70000', '2: 6 @ 69000'])
    expect(fix(desk, [[105, 60_000]], { rows: [sale] })).toMatchObject({ ok: true })
    expect([desk.lots, sales(desk)]).toEqual([['1: 4 @ 70000', '2: 1 @ 69000'], [[5, 72_000]]])
  })

  test('the reason says that sells wait, too, and what to do about it', () => {
    const desk = sharing()
    see(desk, [[60, 60_000]])
    const text = desk.stock.blocked?.text ?? ''
    expect(text).toContain('자동 매도')
    expect(text).toContain('직접 관리하는 100주')
    expect(text).not.toContain('-')
    expect(outlook(desk.account, desk.ctx, CODE).reasons[0]?.text).toBe(text)
  })

  test('shares that become the person’s are no sale: what was sold before, just as many, gives them no price', () => {
    const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 4, 70_000], [2, 6, 69_000])
    const before = soldByPhone(desk, 5, { day: addDays(DAY, -1), orderedAt: desk.now - 86_400_000 })
    see(desk, [[10, 60_000]])
    desk.ask({ kind: 'keepShares', code: CODE, count: 5 })
    see(desk, [[10, 60_000]])
    expect(fix(desk, [[10, 60_000]], { rows: [before] })).toMatchObject({ ok: true })
    expect([desk.lots, sales(desk)]).toEqual([['1: 4 @ 70000', '2: 1 @ 69000'], [[5, null]]])
    expect([desk.stock.accGainAmount, desk.stock.blocked]).toEqual([0, null])
  })

  test('correcting twice changes nothing more', () => {
    const desk = sharing()
    see(desk, [[105, 60_000]])
    fix(desk, [[105, 60_000]])
    const lots = desk.lots
    expect(fix(desk, [[105, 60_000]])).toMatchObject({ ok: true })
    expect(desk.lots).toEqual(lots)
  })
})

test('who keeps shares of a stock that is only watched is asked when they split, too', () => {
  const desk = new Desk({ lastBuyPrice: null, maxBuyPrice: null, minSellPrice: null, autoBuy: false })
  desk.ask({ kind: 'keepShares', code: CODE, count: 10 })
  const moved = { day: DAY, close: 70_000, base: 14_000 }
  desk.quote(14_000, { moved }).timer()
  expect(desk.stock.frozen).toEqual(moved)
  desk.ask({ kind: 'adjustStock', code: CODE, day: DAY, held: 50, snapshot: desk.snapshot([], [[50, 13_860]]) })
  expect([desk.stock.kept, desk.stock.frozen]).toEqual([50, null])
})
