import { expect, test } from 'vitest'
import { CODE, DAY, Desk } from '../../test/desk.ts'
import { strangeRow } from '../../test/strange-row.ts'
import { isExplained, strangersToday } from './strangers.ts'
import type { Execution } from './types.ts'
import { viewOf, type PlainView } from './view-json.ts'

const row = (over: Partial<Execution> = {}): Execution =>
  strangeRow({ side: 'sell', venue: 'SOR', count: 3, price: 72_000, orderedAt: 1, ...over })

const shown = (desk: Desk): string[] =>
  strangersToday(desk.account).map(
    ({ odno, code, side, count, price, filledCount }) =>
      `${Number(odno)} ${code} ${side} ${filledCount}/${count} @ ${price}`,
  )

test.each<[string, Partial<Execution>, string[]]>([
  ['rests', {}, ['900 005930 sell 0/3 @ 72000']],
  ['is filled in part', { filledCount: 1, remainingCount: 2 }, ['900 005930 sell 1/3 @ 72000']],
  ['is of a stock that Digger does not know', { code: '035720' }, ['900 035720 sell 0/3 @ 72000']],
  ['stands in the place of one that was changed', { originalOdno: '0000000899' }, ['900 005930 sell 0/3 @ 72000']],
  ['has no time', { orderedAt: null }, ['900 005930 sell 0/3 @ 72000']],
  ['is filled', { filledCount: 3, remainingCount: 0 }, []],
  ['was cancelled, and still listed with a remainder', { cancelled: true }, []],
  ['only cancels another', { originalOdno: '0000000899', price: 0, remainingCount: 0 }, []],
  ['is of yesterday', { day: '20261115' }, []],
])('an order of somebody else that %s', (_, over, expected) => {
  expect(shown(new Desk().read([row(over)]))).toEqual(expected)
})

test('our own orders are not among them, with a number or while theirs is on its way', () => {
  const desk = new Desk({ autoSell: false }).buyAt(70_000)
  const { count, price } = desk.order(1)
  const sent = row({ odno: '0000000001', side: 'buy', count, price, remainingCount: count, orderedAt: desk.now })
  expect(shown(desk.read([sent]))).toEqual([])
  desk.accept(1).wait(1_000).read([sent])
  expect(shown(desk)).toEqual([])
})

test('the newest comes first; those of yesterday are gone when the day opens', () => {
  const desk = new Desk().read([row({ orderedAt: 5 }), row({ odno: '0000000901', orderedAt: 9 })])
  expect(shown(desk).map((text) => text.slice(0, 3))).toEqual(['901', '900'])
  expect(shown(desk.wait(24 * 3_600_000).timer())).toEqual([])
})

test('a reading that shows nothing new leaves them the very same, one that does not leaves only what moved', () => {
  const desk = new Desk().read([row(), row({ odno: '0000000901' })])
  const before = desk.account.view.orders.strangers
  expect(desk.wait(2_000).read([row(), row({ odno: '0000000901' })]).account.view.orders.strangers).toBe(before)
  const after = desk.wait(2_000).read([row({ filledCount: 1, remainingCount: 2 }), row({ odno: '0000000901' })])
  const [key, other] = before.keys()
  expect(after.account.view.orders.strangers.get(key ?? '')?.filledCount).toBe(1)
  expect(after.account.view.orders.strangers.get(other ?? '')).toBe(before.get(other ?? ''))
})

test('a fill of a stock that is not in the book, or of a changed order, makes no stock of the book suspect', () => {
  const desk = new Desk()
  desk.read([row({ code: '035720' }), row({ originalOdno: '0000000899' })])
  const filled = { filledCount: 2, remainingCount: 1 }
  desk.wait(2_000).read([row({ code: '035720', ...filled }), row({ originalOdno: '0000000899', ...filled })])
  expect([...desk.account.view.stocks.strangerFillsSince.keys()]).toEqual([])
  expect(desk.stock.blocked).toBe(null)
})

test('a fill of a changed order explains no difference in shares: it is believed at the second reading', () => {
  const rows = [row({ side: 'buy', originalOdno: '0000000899', filledCount: 2, remainingCount: 1 })]
  const desk = new Desk().read(rows, [[2, 72_000]])
  expect(desk.stock.blocked).toBe(null)
  expect(desk.wait(11_000).read(rows, [[2, 72_000]]).stock.blocked?.code).toBe('mismatch')
})

test('a person learns where to cancel one', () => {
  const desk = new Desk().read([row()])
  expect(desk.ask({ kind: 'cancelOrder', odno: '0000000900' })).toMatchObject({
    code: 'CONFLICT',
    text: expect.stringContaining('증권사 앱에서 취소해 주세요'),
  })
  expect(desk.ask({ kind: 'cancelOrder', odno: '0000000999' })).toMatchObject({ code: 'NOT_FOUND' })
  expect(desk.cancels).toEqual([])
})

test('an input that an earlier version stored, without what is known of them now, is decided as it was then', () => {
  const { code, odno, side, filledCount, remainingCount } = row({ side: 'buy', filledCount: 3, remainingCount: 0 })
  const stored: PlainView = JSON.parse(
    JSON.stringify({ orders: { strangers: [[`${DAY} ${odno}`, { code, odno, side, filledCount, remainingCount }]] } }),
  )
  const view = viewOf(stored)
  expect([isExplained(view, CODE, 3), isExplained(view, CODE, 2)]).toEqual([true, false])
})
