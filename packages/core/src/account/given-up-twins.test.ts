import { expect, test } from 'vitest'
import { DAY, Desk, odnoOf } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'

const PAST_LAG = 20_000

/** Two equal sells, of lots 1 and 2, that were given up. */
function givenUpTwins(): Desk {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 2, 70_000]).timer()
  desk.lose(1).lose(2).wait(PAST_LAG).read([]).wait(3_000).read([])
  expect([desk.order(1).status, desk.order(2).status]).toEqual(['notPlaced', 'notPlaced'])
  return desk
}

test('one row appears for two equal orders that were given up: one takes its number, and its fill is booked once', () => {
  const desk = givenUpTwins()
  desk.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  const row = desk.row(1, { odno: '0000000900', orderedAt: desk.now, filledCount: 2, remainingCount: 0 })
  desk.wait(2_000).read([row])
  const [one, other] = [desk.order(1), desk.order(2)]
  expect([one.odno, one.status, other.odno, other.status]).toEqual(['0000000900', 'filled', null, 'notPlaced'])
  expect(desk.lots).toEqual(['2: 2 @ 70000'])
})

test('two rows: each takes one', () => {
  const desk = givenUpTwins()
  desk.ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  const rows = [1, 2].map((id) => desk.row(id, { orderedAt: desk.now }))
  desk.wait(2_000).read(rows)
  expect([desk.order(1).odno, desk.order(2).odno]).toEqual([odnoOf(1), odnoOf(2)])
})

test('a market sale that was given up may be any row of its kind, so the one with a price is looked at first', () => {
  const desk = new Desk({ autoBuy: false, autoSell: false }).hold([1, 2, 70_000], [2, 2, 70_000]).quote(70_000)
  desk.ask({ kind: 'sellTrade', code: '005930', tradeId: 1, how: 'market' })
  desk.ask({ kind: 'sellTrade', code: '005930', tradeId: 2, how: 'target' })
  desk.lose(1).lose(2).wait(PAST_LAG).read([]).wait(3_000).read([]).wait(3_000).read([])
  expect([desk.order(1).status, desk.order(2).status]).toEqual(['notPlaced', 'notPlaced'])
  desk.wait(2_000).read([desk.row(2, { orderedAt: desk.now })])
  expect([desk.order(1).odno, desk.order(2).odno]).toEqual([null, odnoOf(2)])
})

test('what somebody orders after the session of one that was given up is another order', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000]).timer()
  desk.lose(1).wait(PAST_LAG).read([]).wait(3_000).read([])
  const row = desk.row(1)
  desk.now = kstInstant(DAY, 161_000)
  desk.read([{ ...row, orderedAt: desk.now }])
  expect([desk.order(1).status, desk.order(1).odno, desk.stock.blocked]).toEqual(['notPlaced', null, null])
})
