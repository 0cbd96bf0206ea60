import { expect, test } from 'vitest'
import { CODE, DAY, Desk, odnoOf } from '../../test/desk.ts'
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

// Seed 3566 of the whole server: lines kept two sells of one share for longer than they were waited for.
test('two sells of one lot that were given up come after all: what the second brought is the price of the share it took', () => {
  const desk = new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 2, 71_000]).timer().accept(2)
  const giveUp = (id: number): void => {
    const others = [desk.row(2)]
    desk.lose(id).wait(PAST_LAG).read(others).wait(3_000).read(others)
    expect(desk.order(id).status).toBe('notPlaced')
  }
  giveUp(1)
  desk.wait(6_000).timer().ask({ kind: 'setStop', level: 'user', code: null, stop: 'halt' })
  giveUp(3)
  expect(desk.order(3).lots).toEqual(desk.order(1).lots)
  const sold = { filledCount: 2, filledAmount: 142_200, remainingCount: 0 }
  const rows = [
    desk.row(1, { ...sold, odno: '0000000901', orderedAt: desk.now }),
    desk.row(3, { ...sold, odno: '0000000903', orderedAt: desk.now, filledAmount: 142_600 }),
  ]
  const all = [...rows, desk.row(2, { cancelled: true, remainingCount: 0 })]
  desk.wait(2_000).read(all)
  expect(desk.lots).toEqual(['2: 2 @ 71000'])
  expect(desk.stock.blocked?.code).toBe('ambiguous')
  desk.ask({ kind: 'applyOrder', code: CODE })
  const fix = () => desk.ask({ kind: 'fixBalance', code: CODE, snapshot: desk.snapshot(all, []) })
  for (let looks = 1; !(fix()?.ok ?? false); looks++) {
    expect(looks).toBeLessThan(4)
    desk.wait(15_000).read(all, [])
  }
  const closed = desk.facts.flatMap((fact) =>
    fact.kind === 'lotSold' ? [[fact.trade.count, fact.trade.sellAmount]] : [],
  )
  expect([desk.lots, closed]).toEqual([[], [[2, 142_600]]])
})

// Seed 3536 of the whole server: the newer one was of a server that had ended, whose orders may arrive for a quarter of an
// hour, and "apply orders" was answered with success and did nothing.
test('while a newer buy has no verdict, nobody is asked for anything: it is taken back once that has one', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).lose(1).wait(PAST_LAG).read([]).wait(3_000).read([])
  desk.wait(6_000).buyAt(69_900).lose(2).wait(2_000)
  const row = desk.row(1, { filledCount: 2, remainingCount: 0 })
  desk.read([row])
  expect([desk.order(1).status, desk.order(2).status]).toEqual(['notPlaced', 'unknown'])
  expect(desk.stock.blocked).toMatchObject({
    code: 'ambiguous',
    text: expect.stringMatching(/결과를 모르는 주문 2이 정해진 뒤에/),
  })
  desk.wait(PAST_LAG).read([row]).wait(3_000).read([row])
  expect(desk.order(2).status).toBe('notPlaced')
  desk.wait(3_000).read([row])
  expect([desk.order(1).status, desk.lots]).toEqual(['filled', ['1: 2 @ 70000']])
  expect(desk.stock.blocked?.text).toContain('‘주문 적용’')
})
