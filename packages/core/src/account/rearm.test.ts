import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { evolve } from './evolve.ts'
import type { Fact } from './facts.ts'
import { accountReadAgain } from './rearm.ts'

const HOUR = 3_600_000
const moved = (desk: Desk, ms: number): Desk => desk.wait(ms).do({ kind: 'clockMoved' })

test.each([HOUR, -HOUR])('a clock set by %d ms: nothing automatic before book and broker were compared anew', (ms) => {
  const desk = new Desk({ autoSell: false })
  moved(desk, ms)
  expect(desk.reads).toBe(1)
  expect(desk.buyAt(70_000).sent).toEqual([])
  desk.wait(1_000).read([], [])
  expect(desk.wait(1_000).buyAt(70_000).sent).toEqual([1])
})

test.each([HOUR, -HOUR])('a list asked before the clock was set by %d ms arms nothing', (ms) => {
  const desk = new Desk({ autoSell: false })
  const snapshot = desk.snapshot([], [])
  moved(desk, ms).do({ kind: 'snapshot', snapshot })
  expect(desk.wait(2_000).buyAt(70_000).sent).toEqual([])
})

test('an answer about cash that was asked before the clock was set back counts for nothing', () => {
  const desk = new Desk({ autoSell: false }).price(70_000)
  const askedAt = desk.now
  moved(desk, -HOUR).wait(1_000).read([], [])
  desk.quote(70_000).cash(100, askedAt)
  expect(desk.sent).toEqual([])
  expect(desk.wait(2_000).buyAt(70_000).sent).toEqual([1])
})

test('what waited by the old clock does not wait an hour longer: failed readings, answers about cash, pauses', () => {
  const desk = new Desk({ autoSell: false })
  for (let i = 0; i < 6; i++) desk.wait(40_000).timer().do({ kind: 'snapshotFailed', text: '' })
  expect(desk.timer().reads).toBe(0)
  expect(moved(desk, -HOUR).reads).toBe(1)
  desk.wait(1_000).read([], [])
  expect(desk.wait(1_000).price(70_000).effects).toEqual([{ kind: 'askCash', code: CODE }])
})

test('the listing lag of an order without a verdict begins again, and the order is found whatever its time', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
  const { createdAt } = desk.order(1)
  // Our clock had been an hour ahead when the order was made.
  moved(desk, -HOUR)
  const row = desk.row(1, { odno: '0000000777', orderedAt: createdAt - HOUR })
  desk.wait(19_999).read([row])
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(1).read([row])
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000777' })
})

test('set forward, the lag is not over at once', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
  moved(desk, HOUR)
  desk.wait(10_000).read([]).wait(3_000).read([])
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(8_000).read([]).wait(2_000).read([])
  expect(desk.order(1).status).toBe('notPlaced')
})

test('a cancel on its way is asked again', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(moved(desk, -HOUR).cancels).toEqual([1])
})

test('a call that never reports gives way to the broker’s list after two minutes, not before', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  desk.wait(119_999).timer()
  expect(desk.order(1).status).toBe('intended')
  desk.wait(1).timer()
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(20_000).read([desk.row(1, { odno: '0000000321' })])
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000321' })
})

test('cash queries do not delay the first comparison', () => {
  const desk = new Desk({ lastBuyPrice: 70_000, autoSell: false }).do({ kind: 'linked' }).price(69_900)
  expect(desk.effects.map((effect) => effect.kind)).not.toContain('askCash')
  desk.wait(2_000).read([], [])
  expect(desk.price(69_900).effects.map((effect) => effect.kind)).toContain('askCash')
})

/** A commit failed: the book is read again from the tables, here as it was or with what was written all the same. */
function readAgain(desk: Desk, ...missed: Fact[]): Desk {
  desk.account = accountReadAgain(desk.account, missed.reduce(evolve, desk.account.book))
  return desk.do({ kind: 'restarted', lateMs: 40_000 }).do({ kind: 'authorised', authorised: true })
}
const over = { cancelled: true, remainingCount: 0 }

/** An automatic buy that a person took back, and that is over, with book and broker compared since. */
function takenBack(): Desk {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  return readAgain(desk)
    .wait(1_000)
    .read([desk.row(1, over)], [])
    .wait(2_000)
}

test('a buy that a person took back is not bought again after the account was read again', () => {
  const desk = takenBack()
  expect(desk.order(1).status).toBe('cancelled')
  expect(desk.buyAt(69_900).sent).toEqual([])
  desk.settings({ buyPercent: -2 })
  expect(desk.wait(2_000).buyAt(69_900).sent).toEqual([2])
})

test('nor where it filled before the cancel came', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  const { count } = desk.order(1)
  const filled = [desk.row(1, { remainingCount: 0, filledCount: count, filledAmount: count * 70_000 })]
  desk.wait(1_000).read(filled, [[count, 70_000]])
  expect(desk.order(1).status).toBe('filled')
  readAgain(desk)
    .wait(1_000)
    .read(filled, [[count, 70_000]])
  expect(desk.wait(2_000).buyAt(69_000).sent).toEqual([])
  desk.settings({ buyPercent: -1 })
  expect(desk.wait(2_000).buyAt(69_000).sent).toEqual([2])
})

test('it is when the next day was opened in the tables meanwhile', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).accept(1)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  desk.read([desk.row(1, over)]).wait(86_400_000)
  readAgain(desk, { kind: 'dayOpened', day: '20261117', at: desk.now })
  expect(desk.wait(1_000).read([], []).wait(2_000).buyAt(69_900).sent).toEqual([2])
})

test('an order that a person cancelled before it had a number is cancelled as soon as it has one', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  desk.ask({ kind: 'cancelOrders', code: CODE })
  expect(readAgain(desk).accept(1).cancels).toEqual([1])
  desk.read([desk.row(1, over)])
  expect(readAgain(desk).timer().cancels).toEqual([])
})

test('a sale that waited is not made after the account was read again: its person was told that it failed', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).quote(70_000).timer().accept(1).wait(2_000)
  desk.quote(70_000).ask({ kind: 'sellAtMarket', code: CODE })
  expect(desk.account.view.orders.pendingSales).toHaveLength(1)
  readAgain(desk)
    .wait(1_000)
    .quote(70_000)
    .read([desk.row(1, over)], [[2, 70_000]])
  expect([desk.results, desk.order(2).origin, desk.live]).toEqual([[], 'auto', ['2 sell 2 @ 70900 of 1 intended']])
})

test('what has to be compared first, and what the broker answered, is not carried over', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  const { connection, cash } = readAgain(desk).account.view
  expect([connection.armed, cash.answer]).toEqual([false, null])
})

test('an order made while the clock was wrong is found whatever its time, also after the account was read again', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1)
  const { createdAt } = desk.order(1)
  // An hour later its time is no more one that is to come.
  moved(desk, -HOUR).wait(HOUR + 1_000)
  readAgain(desk).wait(20_000)
  desk.read([desk.row(1, { odno: '0000000777', orderedAt: createdAt - HOUR })])
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000777' })
})

test('the order that a person confirmed is taken, also after the account was read again', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1).wait(20_000)
  const rows = ['0000000777', '0000000778'].map((odno) => desk.row(1, { odno }))
  desk.read(rows)
  expect(desk.stock.blocked?.code).toBe('ambiguous')
  desk.ask({ kind: 'applyOrder', code: CODE })
  readAgain(desk).wait(20_000).read(rows)
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000777' })
})
