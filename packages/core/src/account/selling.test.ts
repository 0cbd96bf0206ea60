import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { outlook } from './outlook.ts'

const codes = (desk: Desk): string[] => outlook(desk.account, desk.ctx, CODE).reasons.map((reason) => reason.code)

/** Code and shares of each reason of a sell. */
const texts = (desk: Desk): string[] =>
  outlook(desk.account, desk.ctx, CODE)
    .reasons.filter(({ side }) => side === 'sell')
    .map(({ code, text }) => `${code} ${text.split(' ')[0]}`)

test('a new lot in average mode: the old sale goes first, one order for all follows', () => {
  const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true }).hold([1, 2, 70_000]).timer().accept(1)
  desk.hold([2, 2, 69_300]).wait(1_000).timer()
  expect([desk.cancels, desk.sent]).toEqual([[1], []])
  desk.wait(1_000).read([desk.row(1, { cancelled: true, remainingCount: 0 })])
  expect(desk.live).toEqual(['2 sell 4 @ 70500 of 2+1 intended'])
})

test('back to lots: the average sale goes first, then each lot rests', () => {
  const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true })
    .hold([1, 2, 70_000], [2, 2, 69_300])
    .timer()
    .accept(1)
  desk.settings({ autoSellWithAvgPrice: false })
  expect([desk.cancels, desk.sent]).toEqual([[1], []])
  desk.wait(1_000).read([desk.row(1, { cancelled: true, remainingCount: 0 })])
  expect(desk.live).toEqual(['2 sell 2 @ 70200 of 2 intended', '3 sell 2 @ 70900 of 1 intended'])
})

test('new settings end an average sale that is half done; without them it goes on', () => {
  const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true })
    .hold([1, 2, 70_000], [2, 2, 69_300])
    .timer()
    .accept(1)
  desk
    .wait(1_000)
    .read([desk.row(1, { filledCount: 2 })])
    .wait(1_000)
    .timer()
  expect([desk.lots, desk.live]).toEqual([['1: 2 @ 70000'], ['1 sell 4 @ 70500 of 2+1 open']])
  desk.settings({ sellPercent: 1.3 })
  expect(desk.cancels).toEqual([1])
})

test('what a person offers stays out of the average sale of the rest', () => {
  const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true }).hold([1, 2, 70_000], [2, 2, 69_300])
  desk.quote(70_000).timer().accept(1).wait(2_000)
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 2, how: 'current' })
  desk.wait(1_000).read([desk.row(1, { cancelled: true, remainingCount: 0 })])
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 intended', '3 sell 2 @ 70000 of 2 intended'])
  desk.accept(2, 3).wait(2_000).timer()
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 open', '3 sell 2 @ 70000 of 2 open'])
})

test('lots that the settings leave alone show their reason, never that nothing is held', () => {
  const gone = { cancelled: true, remainingCount: 0 }
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 3, 69_300]).quote(70_000).timer().accept(1, 2)
  desk.wait(2_000).ask({ kind: 'cancelOrder', id: 1 })
  desk.wait(1_000).read([desk.row(1, gone), desk.row(2)])
  expect(texts(desk)).toEqual(['resting 2주를', 'heldBack 3주는'])
  desk.ask({ kind: 'sellTrade', code: CODE, tradeId: 1, how: 'current' })
  expect(texts(desk)).toEqual(['asked 2주는', 'heldBack 3주는'])
  desk.wait(1_000).read([desk.row(1, gone), desk.row(2, gone)])
  expect(texts(desk)).toEqual(['byHand 2주는', 'heldBack 3주는'])
  const growing = new Desk({ buyUnitPrice: 300_000 }).buyAt(70_000).accept(1).wait(2_000)
  growing.read([growing.row(1, { filledCount: 1 })])
  expect(texts(growing)).toEqual(['buying 1주는'])
})

test('the two modes never rest at once: a free lot waits until the average sale is gone', () => {
  const desk = new Desk({ autoBuy: false, autoSellWithAvgPrice: true }).hold([1, 2, 70_000]).timer().accept(1)
  desk.hold([2, 2, 69_300])
  desk.settings({ autoSellWithAvgPrice: false })
  desk.wait(1_000).read([desk.row(1)])
  // A sale of one lot is the same in both modes, and the free lot joins it.
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 open', '2 sell 2 @ 70200 of 2 intended'])
  const whole = new Desk({ autoBuy: false, autoSellWithAvgPrice: true }).hold([1, 2, 70_000], [2, 2, 69_300])
  whole.timer().accept(1).hold([3, 2, 68_600])
  whole.settings({ autoSellWithAvgPrice: false })
  expect([whole.cancels, whole.sent]).toEqual([[1], []])
  whole.wait(1_000).read([whole.row(1, { cancelled: true, remainingCount: 0 })])
  expect(whole.sent.length).toBe(3)
})

test('a sale for more shares than its lots have is taken back', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer().accept(1)
  desk.putFacts({ kind: 'lotSplit', code: CODE, lotId: 1, newLotId: 2, count: 1, at: desk.now })
  expect(desk.timer().cancels).toEqual([1])
})

test('a resting lot shows its reason only', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer().accept(1)
  expect(codes(desk)).toEqual(['autoBuyOff', 'resting'])
})

test('a lot still being bought changes nothing about the sale of the others', () => {
  const desk = new Desk({ autoSellWithAvgPrice: true, buyUnitPrice: 300_000, lastBuyPrice: 70_000 }).hold([
    1, 2, 70_000,
  ])
  desk.timer().accept(1).wait(2_000).buyAt(69_300).accept(2).wait(2_000)
  desk.read([desk.row(1), desk.row(2, { filledCount: 1 })])
  expect([desk.lots.length, desk.cancels]).toEqual([2, []])
  desk.wait(2_000).read([desk.row(1), desk.row(2, { filledCount: 4, remainingCount: 0 })])
  expect(desk.cancels).toEqual([1])
})

test("lots out of the day's band wait and say so", () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 2, 95_000]).quote(70_000).timer()
  expect(desk.live).toEqual(['1 sell 2 @ 70900 of 1 intended'])
  expect(codes(desk)).toContain('aboveBand')
})

test('an automatic sale that waited too long for its turn is made again by itself, after the pause', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer()
  desk.wait(10_000).do({ kind: 'notSent', orderId: 1, text: '차례를 기다리다 너무 늦어 보내지 않았습니다.' })
  desk.wait(4_999).timer()
  expect(desk.live).toEqual([])
  desk.wait(1).timer()
  expect(desk.live).toEqual(['2 sell 2 @ 70900 of 1 intended'])
})
