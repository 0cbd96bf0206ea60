import { expect, test } from 'vitest'
import type { CommittedOrder } from './rows.ts'
import { StandingOrders } from './standing.ts'
import { Strays } from './strays.ts'

const PERSON = { index: 0, userId: 'trader', account: '5000000101' }
const LOOK = { code: '005380', side: 'sell', price: 457_500, count: 1, day: '20261123' } as const

const row = (id: number, over: Partial<CommittedOrder> = {}): CommittedOrder => ({
  ...LOOK,
  id,
  origin: 'person',
  type: 'limit',
  status: 'unknown',
  live: true,
  odno: null,
  filled_count: 0,
  reserved_price: 0,
  created_at: 0,
  absent_from: null,
  ...over,
})

const taken = <T extends object>(odno: string, over: T) => ({
  ...LOOK,
  odno,
  account: PERSON.account,
  division: '00',
  trigger: 0,
  venue: 'KRX' as const,
  routed: 'KRX' as const,
  original: null,
  change: null,
  reservedPrice: 0,
  at: 0,
  ...over,
})

/** Each row sells the lot of its own number, but the last, which sells that of `shared` again. */
function standing(rows: CommittedOrder[], shared: number): StandingOrders {
  const lotOf = (id: number): number => (id === rows.at(-1)?.id ? shared : id)
  return new StandingOrders(
    { ordersOf: () => rows, lotsShared: (_userId, one, other) => lotOf(one) === lotOf(other) },
    { isStray: () => false },
  )
}

/** Four alike were lost and one came, which the server took for the first; then the lot of `shared` is offered again. */
function sellAgain(shared: number): CommittedOrder | null {
  const rows = [60, 61, 62, 63].map((id) => row(id))
  const orders = standing(rows, shared)
  orders.add(PERSON, taken('0000000204', {}), rows, 'the one that came')
  rows[0] = row(60, { odno: '0000000204', status: 'open' })
  for (const n of [1, 2, 3]) rows[n] = row(60 + n, { status: 'notPlaced', live: false })
  const again = row(96, { price: 469_500, status: 'intended' })
  rows.push(again)
  return orders.add(PERSON, taken('0000000279', { price: 469_500 }), [again], 'another sale')
}

test('the lot of the order that stands there is sold twice', () => {
  expect(() => sellAgain(60)).toThrow('another sale stands beside 5000000101/0000000204')
})

test('that of one that only looks like it is not', () => {
  expect(sellAgain(63)?.id).toBe(96)
})

/** The network delivers the order this late, of those that count as absent from 20 s on; then its row is `after`. */
function delivered(now: number, after: CommittedOrder) {
  let rows = [row(128, { absent_from: 20_000 })]
  const order = taken('0000000359', { remaining: 0, expiredAt: null, settled: true, ...NOTHING_YET })
  const stage = {
    sim: { faults: { carrying: 'lateRequest' as const }, orders: () => [order] },
    simulation: { epoch: 0, now },
  }
  const strays = new Strays(stage, { orders: () => rows })
  const met = strays.note(order, rows)
  rows = [after]
  return { met, isStray: strays.isStray(PERSON, order.odno), codes: strays.codesOf(PERSON) }
}
const NOTHING_YET = {
  filledCount: 0,
  filledAmount: 0,
  cancelledCount: 0,
  rejectedCount: 0,
  expiredCount: 0,
  fee: 0,
  tax: 0,
}
const given = row(128, { status: 'notPlaced', live: false })

test('what comes so late that the list need not show it in time may be given up', () => {
  expect(delivered(19_759, given)).toEqual({ met: 'too late', isStray: true, codes: [LOOK.code] })
  expect(delivered(19_759, row(128, { status: 'open', odno: '0000000359' }))).toMatchObject({ isStray: false })
})

test('what is listed before its lateness is over is the book’s own', () => {
  expect(delivered(14_000, given)).toEqual({ met: null, isStray: false, codes: [] })
})
