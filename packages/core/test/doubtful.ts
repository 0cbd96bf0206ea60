import { CODE, type Desk } from './desk.ts'
import type { Order } from '../src/index.ts'
import type { Proposal } from '../src/index.ts'

export const buy = (desk: Desk, over: Partial<Proposal> = {}): Proposal => ({
  stock: desk.stock,
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: 70_000,
  reservedPrice: over.price ?? 70_000,
  count: 2,
  lotIds: [],
  ...over,
})
export const sell = (desk: Desk, over: Partial<Proposal> = {}): Proposal => ({
  ...buy(desk),
  side: 'sell',
  price: 70_900,
  reservedPrice: 0,
  lotIds: [1],
  ...over,
})

export const order = (desk: Desk, over: Partial<Order>): void => {
  const base = {
    code: CODE,
    side: 'sell',
    origin: 'auto',
    type: 'limit',
    price: 80_000,
    count: 1,
    venue: 'KRX',
  } as const
  const times = { createdAt: desk.now, updatedAt: desk.now, day: '20261116' }
  const none = {
    lots: [],
    odno: null,
    orgno: null,
    filledCount: 0,
    filledAmount: 0,
    reservedPrice: 0,
    why: '',
    note: null,
    absentFrom: null,
  }
  const full: Order = {
    ...base,
    ...times,
    ...none,
    cancelAsked: false,
    cancelWanted: false,
    id: 90,
    session: 'regular',
    status: 'open',
    ...over,
  }
  desk.putFacts({ kind: 'orderIntended', order: full, at: desk.now })
}

export type Case = [
  name: string,
  check: string | null,
  set: (desk: Desk) => void,
  propose: (desk: Desk) => Proposal,
  settings?: object,
]
export const LIVE_BUY = { side: 'buy', count: 2, reservedPrice: 70_000 } as const
const firstDays = (desk: Desk, amount: number) =>
  desk.ask({ kind: 'setFirstDays', rule: { on: true, days: 5, amount } })

/** What is not known of the day, and the first days with real money. */
export const DOUBTFUL: readonly Case[] = [
  ['a base in doubt: buy', 'limitsRead', (desk) => desk.quote(70_000, { isDoubted: true }), buy],
  ['a base in doubt: a sell that rests', null, (desk) => desk.quote(70_000, { isDoubted: true }), sell],
  ['a base in doubt: a sell that fills at once', 'limitsRead', (desk) => desk.quote(70_900, { isDoubted: true }), sell],
  ['the broker’s clock ahead: buy', 'clockRight', (desk) => (desk.doubts = { clockOffMs: 4_000 }), buy],
  ['the broker’s clock behind: sell', 'clockRight', (desk) => (desk.doubts = { clockOffMs: -4_000 }), sell],
  [
    'the broker’s clock ahead: a person',
    null,
    (desk) => (desk.doubts = { clockOffMs: 4_000 }),
    (desk) => buy(desk, { origin: 'person' }),
  ],
  ['a day that broker and calendar differ on', 'dayAgreed', (desk) => (desk.doubts = { isDayDisputed: true }), sell],
  [
    'such a day: a person',
    null,
    (desk) => (desk.doubts = { isDayDisputed: true }),
    (desk) => sell(desk, { origin: 'person' }),
  ],
  ['an HTS ID that was refused', 'noticesHeard', (desk) => (desk.doubts = { noticesRefused: true }), buy],
  [
    'such an HTS ID: a person',
    null,
    (desk) => (desk.doubts = { noticesRefused: true }),
    (desk) => buy(desk, { origin: 'person' }),
  ],
  ['no doubt at all', null, (desk) => (desk.doubts = {}), buy],
  ['first days: two shares', 'firstDays', (desk) => firstDays(desk, 1_000_000), buy],
  ['first days: one share', null, (desk) => firstDays(desk, 70_000), (desk) => buy(desk, { count: 1 })],
  ['first days: a won too much', 'firstDays', (desk) => firstDays(desk, 69_999), (desk) => buy(desk, { count: 1 })],
  [
    'first days: what today was bought counts',
    'firstDays',
    (desk) => (order(desk, { ...LIVE_BUY, code: '000660' }), firstDays(desk, 209_999)),
    (desk) => buy(desk, { count: 1 }),
  ],
  [
    'first days: a person, too',
    'firstDays',
    (desk) => firstDays(desk, 1_000_000),
    (desk) => buy(desk, { origin: 'person' }),
  ],
  ['first days: sells are free', null, (desk) => firstDays(desk, 1), sell],
]
