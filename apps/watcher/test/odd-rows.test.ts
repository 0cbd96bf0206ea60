import { expect, test } from 'vitest'
import { JournalAccount } from '../src/journal-account.ts'
import { mayBeOurs } from '../src/odd-rows.ts'
import type { OddRow } from '../src/order-list.ts'

const DAY = '20261123'
const at = Date.parse('2026-11-23T10:00:00+09:00')
const ORDER = { id: 1, code: '005930', side: 'buy', type: 'limit', count: 10, price: 70_000, day: DAY } as const

function account(order: object = {}, odno: string | null = '0000000011'): JournalAccount {
  const made = new JournalAccount()
  made.take({ kind: 'stockAdded', at, code: '005930' })
  made.take({ kind: 'orderIntended', at, order: { ...ORDER, ...order } })
  if (odno !== null) made.take({ kind: 'orderAccepted', at, orderId: 1, odno })
  return made
}
const odd = (more: Partial<OddRow> = {}): OddRow => ({
  field: 'ord_tmd',
  odno: '99',
  code: '005930',
  side: 'buy',
  count: 10,
  price: 70_000,
  ...more,
})
const fraction = odd({ field: 'ord_qty', count: 'foreign', price: 0 })

test.each<[string, JournalAccount, OddRow, boolean]>([
  ['the number of ours', account(), odd({ odno: '11', count: 'foreign' }), true],
  ['another number, and all of one of ours: it may be its double', account(), odd(), true],
  ['the traits of one whose reply is under way', account({}, null), odd({ odno: null }), true],
  [
    'no number, as ours whose reply is under way, in another stock',
    account({}, null),
    odd({ odno: null, code: '000660' }),
    false,
  ],
  ['a blank where ours has a count', account(), odd({ count: 'blank' }), true],
  [
    'blanks everywhere',
    account(),
    odd({ odno: null, code: null, side: 'blank', count: 'blank', price: 'blank' }),
    true,
  ],
  ['a market order of ours, at what it got', account({ type: 'market', price: 0 }), odd({ price: 71_000 }), true],
  ['a fraction of a share in our stock', account(), fraction, false],
  ['a fraction beside a market order of ours', account({ type: 'market', price: 0 }), fraction, false],
  ['a side of its own in our stock', account(), odd({ side: 'foreign' }), false],
  ['another count', account(), odd({ count: 11 }), false],
  ['another price', account(), odd({ price: 70_100 }), false],
  ['another stock', account(), odd({ code: '000660' }), false],
  ['an order of ours of another day', account({ day: '20261120' }), odd(), false],
  ['no order of ours at all', new JournalAccount(), odd({ code: null, side: 'blank', count: 'blank' }), false],
])('%s', (_name, journal, row, expected) => {
  expect(mayBeOurs(row, journal, DAY)).toBe(expected)
})
