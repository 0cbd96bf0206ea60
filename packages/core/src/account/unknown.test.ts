import { expect, test } from 'vitest'
import { cashFor, CODE, DAY, Desk, odnoOf } from '../../test/desk.ts'
import type { Execution } from './types.ts'

/** A buy of two at 70,000 whose reply was lost just now. */
const lost = (settings = {}): Desk => new Desk({ autoSell: false, ...settings }).buyAt(70_000).lose(1)

const PAST_LAG = 20_000

test('found past the listing lag: it gets its number, and its fills in the same reading', () => {
  const desk = lost().wait(PAST_LAG)
  desk.read([desk.row(1, { odno: '0000000321', filledCount: 1 })])
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000321', filledCount: 1 })
  expect(desk.lots).toEqual(['1: 1 @ 70000'])
})

test('before the lag has passed nothing is concluded, neither found nor absent', () => {
  const desk = lost().wait(PAST_LAG - 1)
  desk.read([desk.row(1)]).wait(2_000)
  expect(desk.order(1).status).toBe('unknown')
})

test('absent in two readings past the lag, asked apart: it was not placed, and the stock goes on', () => {
  const desk = lost().wait(PAST_LAG).read([])
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(1_999).read([])
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(1).read([])
  expect(desk.order(1).status).toBe('notPlaced')
  desk.wait(6_000).buyAt(70_000)
  expect(desk.live).toEqual(['2 buy 2 @ 70000 of 2 intended'])
})

test('readings of other days prove nothing', () => {
  const desk = lost().wait(PAST_LAG)
  for (let i = 0; i < 3; i++) {
    const snapshot = { ...desk.snapshot([], null), from: '20261117' }
    desk.do({ kind: 'snapshot', snapshot }).wait(3_000)
  }
  expect(desk.order(1).status).toBe('unknown')
  for (let i = 0; i < 3; i++) {
    const snapshot = { ...desk.snapshot([], null), from: '20261101', to: '20261115' }
    desk.do({ kind: 'snapshot', snapshot }).wait(3_000)
  }
  expect(desk.order(1).status).toBe('unknown')
})

test('found once between: the count of absences does not matter any more', () => {
  const desk = lost().wait(PAST_LAG).read([]).wait(3_000)
  desk
    .read([desk.row(1)])
    .wait(3_000)
    .read([])
  expect(desk.order(1).status).toBe('open')
})

test.each<[string, Partial<Execution>]>([
  ['another code', { code: '000660' }],
  ['the other side', { side: 'sell' }],
  ['another count', { count: 3 }],
  ['another price', { price: 69_900 }],
  ['a cancel', { originalOdno: '0000000009' }],
  ['another day', { day: '20261115' }],
  ['made more than a minute before', { orderedAt: -60_001 }],
  ['made more than a minute after it could still arrive', { orderedAt: 80_001 }],
])('a row of %s is not it', (_name, over) => {
  const desk = lost()
  const orderedAt = desk.order(1).createdAt + (over.orderedAt ?? 0)
  const row = desk.row(1, { ...over, orderedAt })
  desk.wait(PAST_LAG).read([row])
  expect(desk.order(1).status).toBe('unknown')
})

test.each([
  ['a minute before', -60_000],
  ['a minute after it could still arrive', 80_000],
])('a clock that differs by %s is tolerated', (_name, skew) => {
  const desk = lost()
  const row = desk.row(1, { orderedAt: desk.order(1).createdAt + skew })
  expect(desk.wait(PAST_LAG).read([row]).order(1).status).toBe('open')
})

test('a row without a time is it: else the order would count as not placed, and be made a second time', () => {
  const desk = lost().wait(PAST_LAG)
  const row = desk.row(1, { odno: '0000000321', orderedAt: null, filledCount: 2, remainingCount: 0 })
  desk.read([row]).wait(3_000).read([row])
  expect(desk.orders).toEqual(['1 buy 2 @ 70000 of 1 filled'])
  expect([desk.order(1).odno, desk.lots]).toEqual(['0000000321', ['1: 2 @ 70000']])
})

test('of two rows the one whose time fits is the better', () => {
  const desk = twins().lose(1).lose(2).wait(PAST_LAG)
  const rows = [desk.row(1, { odno: '0000000005', orderedAt: null }), desk.row(2, { odno: '0000000006' })]
  desk.read(rows)
  expect([desk.order(1).odno, desk.order(2).odno]).toEqual(['0000000006', '0000000005'])
})

test('two rows could be it: the stock stops, a person lets it go on, and it is never given up', () => {
  const desk = lost().wait(PAST_LAG)
  const rows = [desk.row(1, { odno: '0000000005' }), desk.row(1, { odno: '0000000006', orderedAt: desk.now - 15_000 })]
  desk.read(rows)
  expect([desk.order(1).status, desk.stock.blocked?.code]).toEqual(['unknown', 'ambiguous'])
  desk.wait(3_000).read(rows)
  expect(desk.order(1).status).toBe('unknown')
  desk.ask({ kind: 'applyOrder', code: CODE })
  expect([desk.order(1).status, desk.stock.blocked]).toEqual(['unknown', null])
  desk.wait(3_000).read(rows)
  expect(desk.order(1)).toMatchObject({ status: 'open', odno: '0000000005' })
})

test('rows of orders that are ours are no candidates', () => {
  const desk = lost().wait(PAST_LAG).read([]).wait(3_000).read([]).wait(6_000)
  desk
    .buyAt(70_000)
    .accept(2)
    .wait(2_000)
    .read([desk.row(2)])
  expect(desk.order(1).status).toBe('notPlaced')
})

/** Two equal sells without a verdict, of lots 1 and 2. */
const twins = (): Desk => new Desk({ autoBuy: false }).hold([1, 2, 70_000], [2, 2, 70_000]).timer()

test('two equal orders, two equal rows: each takes one', () => {
  const desk = twins().lose(1).lose(2).wait(PAST_LAG)
  desk.read([desk.row(1), desk.row(2)])
  expect([desk.order(1).odno, desk.order(2).odno]).toEqual([odnoOf(1), odnoOf(2)])
  expect(desk.stock.blocked).toBe(null)
})

test('two equal orders, one row: one takes it, the other was not placed', () => {
  const desk = twins().lose(1).lose(2).wait(PAST_LAG)
  const row = desk.row(1)
  desk.read([row]).wait(3_000).read([row]).wait(3_000).read([row])
  expect(desk.orders.slice(0, 2)).toEqual(['1 sell 2 @ 70900 of 1 open', '2 sell 2 @ 70900 of 2 notPlaced'])
})

test('the row of an equal order whose reply is on its way is left alone', () => {
  const desk = twins().lose(2).wait(PAST_LAG)
  desk.read([desk.row(1)])
  expect(desk.orders).toEqual(['1 sell 2 @ 70900 of 1 intended', '2 sell 2 @ 70900 of 2 unknown'])
  desk
    .accept(1)
    .wait(3_000)
    .read([desk.row(1)])
  expect([desk.order(1).odno, desk.order(2).odno]).toEqual([odnoOf(1), null])
})

test('one broker number for two orders: the second stops the stock and stays without', () => {
  const desk = twins()
    .accept(1)
    .do({ kind: 'accepted', orderId: 2, odno: odnoOf(1), orgno: '06010' })
  expect([desk.order(2).odno, desk.stock.blocked?.code]).toEqual([null, 'ambiguous'])
})

test('the same number again changes nothing', () => {
  const desk = twins().accept(1).accept(1)
  expect(desk.facts).toEqual([])
})

/** Given up although it was placed: its row appears only afterwards. */
const givenUp = (): Desk => lost().wait(PAST_LAG).read([]).wait(3_000).read([]).wait(6_000)

test('an order given up that shows up is taken back with its fills, and the stock stops', () => {
  const desk = givenUp()
  desk.read([desk.row(1, { filledCount: 2, remainingCount: 0 })])
  expect(desk.order(1).status).toBe('filled')
  expect(desk.lots).toEqual(['1: 2 @ 70000'])
  expect(desk.stock.blocked?.code).toBe('ambiguous')
})

test('while a newer buy stands in its place, that one is cancelled first', () => {
  const desk = givenUp().buyAt(69_900).accept(2).wait(2_000)
  desk.read([desk.row(1), desk.row(2)])
  expect([desk.order(1).status, desk.order(2).status]).toEqual(['notPlaced', 'cancelling'])
  expect(desk.cancels).toEqual([2])
  desk.wait(2_000).read([desk.row(1), desk.row(2, { cancelled: true, remainingCount: 0 })])
  expect(desk.order(2).status).toBe('cancelled')
  desk.wait(2_000).read([desk.row(1)])
  expect(desk.order(1).status).toBe('open')
  expect(desk.cancels).toEqual([])
})

test('the broker times an order when it arrives: one that comes long after it was given up is taken back, and the stock stops', () => {
  const desk = givenUp().wait(3 * 3_600_000)
  desk.read([desk.row(1, { orderedAt: desk.now, filledCount: 2, remainingCount: 0 })])
  expect([desk.order(1).status, desk.lots, desk.stock.blocked?.code]).toEqual(['filled', ['1: 2 @ 70000'], 'ambiguous'])
})

test('an order that certainly never left is not one that somebody makes later', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).do({ kind: 'notSent', orderId: 1, text: '연결 없음' })
  desk.wait(10_000).read([desk.row(1, { orderedAt: desk.now })])
  expect(desk.order(1).status).toBe('notPlaced')
})

test.each([{}, { orderedAt: null }])('a newer equal order without a verdict comes first: %j', (change) => {
  const desk = givenUp().buyAt(70_000).lose(2).wait(1_000)
  const row = desk.row(2, { odno: '0000000700', ...change })
  desk.read([row])
  expect([desk.order(1).status, desk.order(2).status]).toEqual(['notPlaced', 'unknown'])
  expect([desk.stock.blocked, desk.cancels]).toEqual([null, []])
  desk.wait(PAST_LAG).read([row])
  expect([desk.order(1).status, desk.order(2).odno]).toEqual(['notPlaced', '0000000700'])
})

const refusedBuy = (): Desk =>
  new Desk({ autoSell: false }).buyAt(70_000).do({ kind: 'refused', orderId: 1, text: '알 수 없는 거절' })

test.each([
  ['when it was refused', 0, 'open'],
  ['five seconds after, by the clocks', 5_000, 'open'],
  ['later than that: somebody else’s', 5_001, 'rejected'],
])('a refused order that the list shows all the same, made %s', (_name, after, status) => {
  const desk = refusedBuy()
  const orderedAt = desk.now + after
  desk.wait(30_000).read([desk.row(1, { orderedAt })])
  expect(desk.order(1).status).toBe(status)
  expect(desk.stock.blocked?.code).toBe(status === 'open' ? 'ambiguous' : undefined)
})

test.each([
  ['this process, which resets its connection', 40_000],
  ['a dead process', 120_000],
  ['one that may be frozen', 960_000],
])('an order on its way when %s ended counts as absent only after %d ms', (_name, lateMs) => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).do({ kind: 'restarted', lateMs })
  desk.do({ kind: 'authorised', authorised: true })
  const lostAt = desk.now
  for (const at of [lateMs - 4_000, lateMs - 1]) {
    desk.now = lostAt + at
    desk.read([])
  }
  expect(desk.order(1).status).toBe('unknown')
  desk.wait(1).read([]).wait(2_000).read([])
  expect(desk.order(1).status).toBe('notPlaced')
})

test('an inherited order that is listed is taken past the lag: only its absence waits for the kernel of the process before', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000).do({ kind: 'restarted', lateMs: 960_000 })
  desk.do({ kind: 'authorised', authorised: true }).wait(PAST_LAG)
  desk.read([desk.row(1, { odno: '0000000321', filledCount: 2, remainingCount: 0 })])
  expect([desk.order(1).odno, desk.lots]).toEqual(['0000000321', ['1: 2 @ 70000']])
})

test('a loss written before losses had a time counts twenty seconds', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  desk.putFacts({ kind: 'orderLost', orderId: 1, note: '', at: desk.now })
  expect(desk.order(1).absentFrom).toBe(desk.now + PAST_LAG)
})

test('rivals are orders of the same lot, or any buy of the stock', () => {
  const desk = twins().lose(1).accept(2).wait(PAST_LAG).read([desk2Row()]).wait(3_000).read([desk2Row()])
  expect(desk.order(1).status).toBe('notPlaced')
  desk.read([{ ...desk2Row(), odno: '0000000900' }])
  // Order 2 holds another lot, so order 1 can come back at once.
  expect([desk.order(1).status, desk.order(2).status]).toEqual(['open', 'open'])
})

function desk2Row(): Execution {
  const desk = twins()
  return desk.row(2)
}

test('nothing goes out on a stock while one order is unknown, and other stocks go on', () => {
  const desk = lost()
  desk.wait(1_000).price(69_000)
  expect(desk.sent).toEqual([])
  const again = desk.ask({ kind: 'marketBuy', code: CODE, amount: 70_000, cash: cashFor(200), askedAt: desk.now })
  expect(again?.ok).toBe(false)
  expect(desk.account.book.day).toBe(DAY)
})

test.each([
  ['accepted late', 'accepted', 'open'],
  ['refused late', 'refused', 'rejected'],
  ['not sent after all', 'notSent', 'notPlaced'],
] as const)('a verdict that comes late counts: %s', (_name, kind, status) => {
  const desk = lost()
  if (kind === 'accepted') desk.accept(1)
  else desk.do({ kind, orderId: 1, text: '늦은 답' })
  expect(desk.order(1).status).toBe(status)
})

test('a verdict on an order that is over changes nothing', () => {
  const desk = lost().do({ kind: 'refused', orderId: 1, text: '거절' })
  desk.do({ kind: 'refused', orderId: 1, text: '거절' }).do({ kind: 'notSent', orderId: 1, text: '거절' }).lose(1)
  expect([desk.facts, desk.stock.rejects, desk.stock.blocked]).toEqual([[], 1, null])
})

test('a refusal of an order that is listed contradicts the list: the stock stops, the order stays', () => {
  const desk = lost().wait(PAST_LAG)
  desk.read([desk.row(1)]).do({ kind: 'refused', orderId: 1, text: '거절' })
  expect([desk.order(1).status, desk.stock.blocked?.code]).toEqual(['open', 'ambiguous'])
})

test('an acceptance with another number than the list showed stops the stock', () => {
  const desk = lost().wait(PAST_LAG)
  desk.read([desk.row(1)]).do({ kind: 'accepted', orderId: 1, odno: '0000000555', orgno: '06010' })
  expect([desk.order(1).odno, desk.stock.blocked?.code]).toEqual([odnoOf(1), 'ambiguous'])
})
