import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'
import { outlook } from './outlook.ts'
import type { Execution } from './types.ts'

/** A sale of the person's own that rests in the broker's app. */
function phoneSale(desk: Desk, count: number, over: Partial<Execution> = {}): Execution {
  const probe = new Desk({ autoSell: false }).buyAt(70_000).row(1)
  const row = { side: 'sell', price: 75_000, count, remainingCount: count, day: desk.account.book.day } as const
  return { ...probe, ...row, odno: '0000000900', orderedAt: desk.now, ...over }
}
const seller = () => new Desk({ autoBuy: false, autoSell: false }).hold([1, 4, 70_000], [2, 6, 69_000]).quote(70_000)

test('shares that a sale made by phone has locked are not offered, the others are', () => {
  const desk = seller()
  const sale = phoneSale(desk, 6)
  desk.wait(12_000).read([sale], [[10, 69_000]])
  desk.quote(70_000).settings({ autoSell: true })
  expect(desk.live).toEqual(['1 sell 4 @ 70900 of 1 intended'])
  const texts = outlook(desk.account, desk.ctx, CODE).reasons.map(({ text }) => text)
  expect(texts).toContainEqual(expect.stringContaining('증권사 앱에서 낸 매도 주문'))
  expect(desk.accept(1).wait(5_000).timer().sent).toEqual([])
  // It is over: nothing waits any longer.
  desk.wait(1_000).read([desk.row(1), { ...sale, cancelled: true, remainingCount: 0 }])
  expect(desk.timer().live).toHaveLength(2)
})

test('nor are they where only the buys have stopped', () => {
  const desk = seller()
  const blocked = { code: 'rejects', short: false, buysOnly: true, text: '매수를 멈췄습니다.', at: desk.now } as const
  desk.putFacts({ kind: 'stockBlocked', code: CODE, blocked, at: desk.now })
  desk.wait(12_000).read([phoneSale(desk, 6)], [[10, 69_000]])
  desk.quote(70_000).settings({ autoSell: true })
  expect(desk.live).toEqual(['1 sell 4 @ 70900 of 1 intended'])
})

test('an order of yesterday locks nothing today, though no list was read since', () => {
  const desk = seller()
  desk.wait(12_000).read([phoneSale(desk, 10)], [[10, 69_000]])
  desk.quote(70_000).settings({ autoSell: true })
  expect(desk.live).toEqual([])
  desk.now = kstInstant('20261117', 90_100)
  expect(desk.quote(70_000).timer().live).toHaveLength(2)
})

test('what the person keeps may be offered by them', () => {
  const desk = seller()
  desk.ask({ kind: 'keepShares', code: CODE, count: 6 })
  desk.wait(12_000).read([phoneSale(desk, 6)], [[16, 69_000]])
  desk.quote(70_000).settings({ autoSell: true })
  expect(desk.live).toHaveLength(2)
})

test('a person’s own sale here is the broker’s to refuse', () => {
  const desk = seller()
  desk.wait(12_000).read([phoneSale(desk, 10)], [[10, 69_000]])
  desk.quote(70_000).ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'target' })
  expect(desk.sent).toHaveLength(1)
})

test('a cancel made by phone on one day holds nothing back on the next', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 4, 70_000]).quote(70_000).timer()
  desk.accept(1)
  const cancelled = desk.row(1, { cancelled: true, remainingCount: 0 })
  const cancelRow = { ...cancelled, odno: '0000000901', originalOdno: cancelled.odno }
  // Nobody read the list until the next morning.
  desk.now = kstInstant('20261117', 90_100)
  desk.read([cancelled, cancelRow], [[4, 70_000]])
  desk.quote(70_000).wait(1_000).timer()
  expect([desk.order(1).status, desk.stock.lots[0]?.heldBack]).toEqual(['cancelled', false])
  expect(desk.live).toEqual(['2 sell 4 @ 70900 of 1 intended'])
})

test('nor does a buy that was cancelled so', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  const cancelled = desk.row(1, { cancelled: true, remainingCount: 0 })
  const cancelRow = { ...cancelled, odno: '0000000901', originalOdno: cancelled.odno }
  desk.now = kstInstant('20261117', 90_100)
  desk.read([cancelled, cancelRow], [])
  expect(desk.account.view.stocks.heldBuys.size).toBe(0)
})
