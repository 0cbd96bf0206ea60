import { expect, test } from 'vitest'
import { openTooLong, type Waiting } from './questions.ts'

const NOW = 1_000_000
const order = { status: 'accepted', updatedAt: 0, code: '005930', absentFrom: null }
const NOTHING: Waiting = {
  book: { orders: new Map([[1, order]]) },
  view: {
    readSchedule: { running: false, startedAt: 0 },
    cash: { askedAt: null },
    orders: { pendingSales: [] },
  },
}
const inView = (view: Partial<Waiting['view']>): Waiting => ({ ...NOTHING, view: { ...NOTHING.view, ...view } })
const ofOrder = (change: Partial<typeof order>): Waiting => ({
  ...NOTHING,
  book: { orders: new Map([[1, { ...order, ...change }]]) },
})

test('nothing waits, nothing is too old', () => expect(openTooLong(NOTHING, NOW)).toEqual([]))

test.each<[string, (at: number) => Waiting, number]>([
  ['a question about cash is out', (askedAt) => inView({ cash: { askedAt } }), 62_000],
  ['a reading of the lists is out', (startedAt) => inView({ readSchedule: { running: true, startedAt } }), 62_000],
  [
    'a sale of 005930 waits after its time',
    (until) => inView({ orders: { pendingSales: [{ until, code: '005930' }] } }),
    5_000,
  ],
  ['order 1 of 005930 is being cancelled', (updatedAt) => ofOrder({ status: 'cancelling', updatedAt }), 62_000],
  ['order 1 of 005930 is unknown', (updatedAt) => ofOrder({ status: 'unknown', updatedAt }), 62_000],
])('%s: noticed when it is older than it may be, not before', (what, waiting, ms) => {
  expect(openTooLong(waiting(NOW - ms), NOW)).toEqual([])
  expect(openTooLong(waiting(NOW - ms - 1), NOW)).toEqual([`${what} for ${ms + 1} ms`])
  expect(openTooLong(waiting(0), NOW, NOW - ms)).toEqual([])
  expect(openTooLong(waiting(0), NOW, NOW - ms - 1)).toEqual([`${what} for ${ms + 1} ms`])
})
