import { expect, test } from 'vitest'
import { CODE, Desk } from '../../test/desk.ts'
import { kstInstant } from '../krx/kst.ts'

/** A buy of two at 70,000 (or as the settings say), accepted. */
const bought = (settings = {}): Desk => new Desk({ autoSell: false, ...settings }).buyAt(70_000).accept(1).wait(2_000)

/** Lots resting at their targets, accepted. */
function resting(settings: object, ...lots: [number, number, number][]): Desk {
  const desk = new Desk({ autoBuy: false, ...settings }).hold(...lots).timer()
  return desk.accept(...desk.sent).wait(2_000)
}

const events = (desk: Desk): string[] => desk.facts.map((fact) => fact.kind)

test('part fills grow one lot; equal part fills are two fills; the reference moves when the order ends', () => {
  const desk = bought({ buyUnitPrice: 300_000 })
  expect(desk.live).toEqual(['1 buy 4 @ 70000 of 1 open'])
  desk.read([desk.row(1, { filledCount: 1, filledAmount: 69_950 })])
  expect(desk.lots).toEqual(['1: 1 @ 69950'])
  expect(desk.stock.lots[0]?.buyOrderId).toBe(1)
  expect(desk.stock.settings.lastBuyPrice).toBe(null)
  desk.wait(2_000).read([desk.row(1, { filledCount: 2, filledAmount: 139_900 })])
  expect(desk.lots).toEqual(['1: 2 @ 69950'])
  desk.wait(2_000).read([desk.row(1, { filledCount: 4, filledAmount: 279_901 })])
  expect(desk.lots).toEqual(['1: 4 @ 69976'])
  expect(desk.stock.lots[0]).toMatchObject({ buyAmount: 279_901, buyOrderId: null })
  expect(desk.stock.settings.lastBuyPrice).toBe(69_976)
  expect(desk.order(1).status).toBe('filled')
})

test('a part-filled buy that is cancelled: the lot is what was filled, the reference its average', () => {
  const desk = bought({ buyUnitPrice: 300_000 })
  desk.read([desk.row(1, { filledCount: 3, filledAmount: 209_999, remainingCount: 0, cancelled: true })])
  expect(desk.order(1).status).toBe('cancelled')
  expect(desk.lots).toEqual(['1: 3 @ 70000'])
  expect(desk.stock.settings.lastBuyPrice).toBe(70_000)
})

test('an unfilled buy that is cancelled leaves the reference', () => {
  const desk = bought()
  desk.read([desk.row(1, { remainingCount: 0, cancelled: true })])
  expect([desk.lots, desk.stock.settings.lastBuyPrice]).toEqual([[], null])
})

test('the same list again, an older list, or a shorter one books nothing', () => {
  const desk = bought()
  const half = [desk.row(1, { filledCount: 1 })]
  desk.read(half)
  expect(events(desk)).toEqual(['orderFilled', 'lotBought'])
  for (const rows of [half, [desk.row(1)], []]) {
    desk.wait(2_000).read(rows)
    expect(events(desk)).toEqual([])
  }
  expect(desk.lots).toEqual(['1: 1 @ 70000'])
})

test('a cancel row of the broker is no order', () => {
  const desk = bought()
  desk.read([desk.row(1), desk.row(1, { odno: '0000000077', originalOdno: '0000000001', filledCount: 2 })])
  expect(desk.lots).toEqual([])
})

test('a late fill after the cancel makes a lot of its own and never lifts the reference', () => {
  const desk = bought({ buyUnitPrice: 300_000 }).wait(30_000).timer()
  expect(desk.cancels).toEqual([1])
  desk.read([desk.row(1, { filledCount: 1, remainingCount: 0, cancelled: true })])
  desk.wait(6_000).buyAt(69_300)
  desk.accept(2).wait(2_000).fill(2)
  expect(desk.stock.settings.lastBuyPrice).toBe(69_300)
  desk.wait(2_000).read([desk.row(1, { filledCount: 2, remainingCount: 0, cancelled: true })])
  expect(desk.lots).toEqual(['1: 1 @ 70000', '2: 4 @ 69300', '3: 1 @ 70000'])
  expect(desk.stock.settings.lastBuyPrice).toBe(69_300)
  expect(desk.order(1).status).toBe('cancelled')
})

test('a late first fill takes the number kept for it, and starts the ladder', () => {
  const desk = bought()
  desk.read([desk.row(1, { remainingCount: 0, cancelled: true })])
  desk.wait(2_000).read([desk.row(1, { filledCount: 2, remainingCount: 0, cancelled: true })])
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
  expect(desk.stock.lots[0]?.buyOrderId).toBe(null)
  expect(desk.stock.settings.lastBuyPrice).toBe(70_000)
})

test('a fill after expiry is booked', () => {
  const desk = bought()
  desk.now = kstInstant('20261116', 153_600)
  desk.read([desk.row(1)])
  expect(desk.order(1).status).toBe('expired')
  desk.wait(2_000).read([desk.row(1, { filledCount: 2, remainingCount: 0 })])
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
})

test.each([
  ['rejected by the exchange', { rejectedCount: 2, remainingCount: 0 }, 'rejected'],
  ['cancelled elsewhere', { cancelled: true }, 'cancelled'],
  ['no remainder', { remainingCount: 0 }, 'cancelled'],
  ['part filled, the rest rejected', { filledCount: 1, rejectedCount: 1, remainingCount: 0 }, 'cancelled'],
  ['filled', { filledCount: 2, remainingCount: 0 }, 'filled'],
  ['open', {}, 'open'],
  ['part filled', { filledCount: 1 }, 'open'],
])('%s', (_name, row, status) => {
  const desk = bought()
  desk.read([desk.row(1, row)])
  expect(desk.order(1).status).toBe(status)
})

test.each([
  ['more shares than ordered', { filledCount: 3, remainingCount: 0 }],
  ['less money than before', { filledCount: 2, filledAmount: 1_000 }],
])('%s: nothing is booked and the stock stops', (_name, row) => {
  const desk = bought()
  desk.read([desk.row(1, { filledCount: 1 })])
  desk.wait(2_000).read([desk.row(1, row)])
  expect(desk.lots).toEqual(['1: 1 @ 70000'])
  expect(desk.stock.blocked?.code).toBe('ambiguous')
})

test('a fill of a rejected order stops the stock', () => {
  const desk = bought()
  desk.read([desk.row(1, { rejectedCount: 2, remainingCount: 0 })])
  desk.wait(2_000).read([desk.row(1, { filledCount: 1 })])
  expect([desk.lots, desk.stock.blocked?.code]).toEqual([[], 'ambiguous'])
})

test('a sale over several lots books them in order, splits the last, and shares the money to the won', () => {
  const desk = resting({ autoSellWithAvgPrice: true }, [1, 2, 70_000], [2, 2, 69_300], [3, 2, 68_600])
  expect(desk.live).toEqual(['1 sell 6 @ 70200 of 3+2+1 open'])
  // 351,001 won for 5 shares: 2/5 rounded down, then 2/3 of the rest, then the rest.
  desk.read([desk.row(1, { filledCount: 5, filledAmount: 351_001 })])
  const trades = desk.facts.flatMap((fact) => (fact.kind === 'lotSold' ? [fact.trade] : []))
  expect(trades.map((t) => [t.id, t.count, t.buyAmount, t.sellAmount, t.sellPrice])).toEqual([
    [3, 2, 137_200, 140_400, 70_200],
    [2, 2, 138_600, 140_400, 70_200],
    [4, 1, 70_000, 70_201, 70_201],
  ])
  expect(desk.lots).toEqual(['1: 1 @ 70000'])
  // The order still covers what is left of its lots, so it stays.
  expect(desk.live).toEqual(['1 sell 6 @ 70200 of 3+2+1 open'])
  // The broker takes 52 won of fee and 702 of tax for these 351,001 won; of the last lot's 21 won at its purchase half stays.
  expect(trades.map((t) => [t.fee, t.tax])).toEqual([
    [20 + 21, 280],
    [20 + 21, 281],
    [11 + 10, 141],
  ])
})

test('one lot sold in parts: each part a trade, the last carries the number', () => {
  const desk = resting({}, [1, 3, 70_000])
  desk.read([desk.row(1, { filledCount: 1 })])
  desk.wait(2_000).read([desk.row(1, { filledCount: 3, remainingCount: 0 })])
  const sold = desk.journal.flatMap((fact) =>
    fact.kind === 'lotSold' ? [`${fact.trade.id}: ${fact.trade.count}`] : [],
  )
  expect(sold).toEqual(['2: 1', '1: 2'])
  expect(desk.stock.accGainAmount).toBe(3 * 900)
})

test.each([
  [
    'on, lots left: the lowest buy price held',
    true,
    [
      [1, 2, 70_000],
      [2, 2, 69_300],
    ],
    70_000,
  ],
  ['on, nothing left: the sale price', true, [[2, 2, 69_300]], 70_200],
  [
    'off: it stays',
    false,
    [
      [1, 2, 70_000],
      [2, 2, 69_300],
    ],
    60_000,
  ],
] as const)('recoverLastBuyPrice %s', (_name, recoverLastBuyPrice, lots, expected) => {
  const desk = resting(
    { recoverLastBuyPrice, lastBuyPrice: 60_000 },
    ...lots.map((lot): [number, number, number] => [...lot]),
  )
  const id = [...desk.account.book.orders.values()].find((order) => order.lots[0]?.lotId === 2)?.id ?? 0
  desk.fill(id)
  expect(desk.stock.settings.lastBuyPrice).toBe(expected)
})

test('shares sold that no lot has: what there is is booked, and the stock stops', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.putFacts({ kind: 'lotSplit', code: CODE, lotId: 1, newLotId: 9, count: 1, at: 0 })
  desk.fill(1)
  expect(desk.lots).toEqual(['9: 1 @ 70000'])
  expect(desk.stock.blocked?.code).toBe('ambiguous')
})

test.each([
  ['five minutes after the close', 153_459, 'open'],
  ['then it has expired', 153_500, 'expired'],
] as const)('%s', (_name, time, status) => {
  const desk = resting({}, [1, 2, 70_000])
  desk.now = kstInstant('20261116', time)
  desk.read([desk.row(1)])
  expect(desk.order(1).status).toBe(status)
})

test('accepted, in no list, and its session over: believed at the second reading', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.read([]).wait(30_000).read([])
  expect(desk.order(1).status).toBe('open')
  desk.now = kstInstant('20261116', 160_000)
  desk.read([])
  expect(desk.order(1).status).toBe('open')
  desk.wait(2_000).read([])
  expect(desk.order(1).status).toBe('expired')
})

test('lists of other days say nothing of an order whose session is over', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.now = kstInstant('20261116', 160_000)
  for (let look = 0; look < 3; look++) {
    desk.do({ kind: 'snapshot', snapshot: { ...desk.snapshot([], null), from: '20261117' } }).wait(3_000)
  }
  expect(desk.order(1).status).toBe('open')
})

test('notices: the list is asked until it has caught up, and not for ever', () => {
  const desk = bought()
  desk.do({ kind: 'notice', odno: '0000000001', filledCount: 2 })
  expect(desk.reads).toBe(1)
  desk.wait(500).read([desk.row(1)])
  desk.wait(1_999).timer()
  expect(desk.reads).toBe(0)
  desk.wait(1).timer()
  expect(desk.reads).toBe(1)
  desk.fill(1)
  expect(desk.account.view.orders.noticedFills.size).toBe(0)
  // Somebody else's order: nothing of ours will ever catch up with it.
  desk.wait(2_000).do({ kind: 'notice', odno: '0000009999', filledCount: 5 })
  desk.wait(20_000).read([])
  expect([desk.account.view.orders.noticedFills.size, desk.account.view.readSchedule.dueAt]).toEqual([0, null])
})

test('what filled on an earlier day is booked to that day', () => {
  const desk = resting({}, [1, 2, 70_000])
  desk.now = kstInstant('20261117', 90_000)
  desk.fill(1)
  const sold = desk.facts.find((fact) => fact.kind === 'lotSold')
  expect(sold?.kind === 'lotSold' && sold.trade).toMatchObject({
    day: '20261116',
    soldAt: kstInstant('20261116', 200_000),
  })
  expect(desk.account.book.gainToday).toBe(0)

  const buyer = bought()
  buyer.now = kstInstant('20261117', 90_000)
  buyer.fill(1)
  expect(buyer.stock.lots[0]?.boughtAt).toBe(kstInstant('20261116', 200_000))
})

test('of a session without an end it is the last moment of its day', () => {
  const desk = new Desk({ autoSell: false })
  desk.hours = 'always'
  desk.buyAt(70_000).accept(1)
  desk.now = kstInstant('20261117', 100)
  desk.fill(1)
  expect(desk.stock.lots[0]?.boughtAt).toBe(kstInstant('20261117') - 1)
})
