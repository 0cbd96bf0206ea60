import { emptyBook, evolve, type Book, type Order } from '@digger/core'
import type { KisUnreadableRow } from '@digger/kis'
import { expect, test } from 'vitest'
import { orderOf } from '../../test/orders.ts'
import { SETTINGS } from '@digger/storage/testing'
import { whyHoldingsMatter, whyRowsMatter } from './unreadable-rows.ts'

const DAY = '20261120'
const OURS = '0000000321'

function bookWith(...orders: Partial<Order>[]): Book {
  const issue = { code: '005930', kind: 'stock', market: 'KOSPI', nxt: false } as const
  const added = { kind: 'stockAdded', code: '005930', name: '삼성전자', issue, settings: SETTINGS, at: 0 } as const
  const book = evolve(emptyBook(DAY), added)
  return { ...book, orders: new Map(orders.map((order, n) => [n + 1, orderOf({ id: n + 1, ...order })])) }
}
const row = (change: Partial<KisUnreadableRow>): KisUnreadableRow => ({
  day: DAY,
  odno: '0000000999',
  originalOdno: null,
  code: '005930',
  what: 'ord_qty is not whole: 0.5',
  ...change,
})
const listed = { odno: OURS, status: 'open' } as const

test.each<[string, Partial<Order>, Partial<KisUnreadableRow>, boolean]>([
  ['a stranger’s order of our stock', listed, {}, false],
  ['ours, by its number', listed, { odno: OURS }, true],
  ['ours, although not even its stock can be read', listed, { odno: OURS, code: null }, true],
  ['ours, although its day cannot be read', listed, { odno: OURS, day: null }, true],
  ['our number of another day', listed, { odno: OURS, day: '20261119' }, false],
  ['a change of an order', listed, { odno: null, originalOdno: '0000000007' }, false],
  ['one without a number, of our stock', listed, { odno: null }, true],
  ['one without a number, of another stock', listed, { odno: null, code: '000660' }, false],
  ['one with neither number nor stock', listed, { odno: null, code: null }, true],
  ['one without a number, ours is over', { ...listed, status: 'cancelled' }, { odno: null }, false],
  ['ours, cancelled: a fill may have overtaken that', { ...listed, status: 'cancelled' }, { odno: OURS }, true],
  ['ours, filled to the last share', { ...listed, status: 'filled', filledCount: 2 }, { odno: OURS }, false],
  ['any of the stock while ours has no number', { status: 'unknown' }, {}, true],
  ['any of the stock while ours is on its way', { status: 'intended' }, {}, true],
  ['any of an unknown stock while ours has no number', { status: 'unknown' }, { code: null }, true],
  ['of another stock while ours has no number', { status: 'unknown' }, { code: '000660' }, false],
  ['of another day while ours has no number', { status: 'unknown' }, { day: '20261119' }, false],
  ['any of the stock, ours was given up', { status: 'notPlaced' }, {}, false],
])('an unreadable row: %s', (_name, order, change, matters) => {
  const why = whyRowsMatter(bookWith(order), [row({ code: '000660', odno: '0000000001' }), row(change)])
  expect(why !== null).toBe(matters)
})

test('people read which order it is, or of which stock', () => {
  const book = bookWith(listed)
  expect(whyRowsMatter(book, [row({ odno: OURS })])).toContain(`주문 ${OURS}의 내용`)
  expect(whyRowsMatter(book, [row({ odno: null })])).toContain('005930 주문의 내용')
  expect(whyRowsMatter(bookWith(), [row({ odno: null, code: null })])).toBeNull()
  expect(whyRowsMatter(book, [])).toBeNull()
})

test.each<[string, string | null, string | null]>([
  ['of the book', '005930', '삼성전자'],
  ['nobody can name', null, '어느 종목'],
  ['the book does not have', '000660', null],
])('a holding that cannot be read, of a stock %s', (_name, code, named) => {
  const why = whyHoldingsMatter(bookWith(), [{ code, what: 'hldg_qty is not whole: 1.5' }])
  const expected = `증권사 잔고에서 ${named}의 수량을 읽지 못했습니다. 소수점 주식이 있는지 증권사 앱에서 확인해 주세요.`
  expect(why).toBe(named === null ? null : expected)
})
