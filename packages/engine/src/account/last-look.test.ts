import { emptyBook, evolve, newAccount, type Book, type Order, type Stop } from '@digger/core'
import { bootNow, KERNEL_LEASE, NO_LEASE, realClock } from '@digger/database'
import { SETTINGS } from '@digger/storage/testing'
import { expect, test } from 'vitest'
import { LastLook } from './last-look.ts'

const NOW = 1_800_000_000_000
const order: Order = {
  id: 1,
  code: '005930',
  side: 'buy',
  origin: 'auto',
  type: 'limit',
  price: 70_000,
  count: 1,
  venue: 'KRX',
  session: 'regular',
  lots: [],
  status: 'intended',
  day: '20270115',
  odno: null,
  orgno: null,
  filledCount: 0,
  filledAmount: 0,
  reservedPrice: 0,
  createdAt: NOW,
  updatedAt: NOW,
  why: '',
  note: null,
  absentFrom: null,
  cancelAsked: false,
  cancelWanted: false,
}

interface Case {
  readonly order?: Partial<Order>
  readonly env?: 'real' | 'paper'
  readonly lease?: typeof KERNEL_LEASE
  /** Since the order was made, by the market's clock, and since its commit, by boot time, ms. */
  readonly marketMs?: number
  readonly bootMs?: number
  readonly pending?: Stop
  /** What a commit makes of the order, and of the stop, while nobody knows whether it stands. */
  readonly ended?: boolean
  readonly inDoubt?: { readonly status?: Order['status']; readonly cancelWanted?: boolean; readonly stop?: Stop }
  readonly otherServer?: boolean
  /** Of the stock as it stands, as it is being written, and of the whole server. */
  readonly shadow?: 'stock' | 'inDoubt' | 'server'
}

const stocksOf = (shadow: boolean): Book['stocks'] => {
  const issue = { code: '005930', kind: 'stock', market: 'KOSPI', nxt: false } as const
  const added = { kind: 'stockAdded', at: NOW, code: '005930', name: '삼성전자', issue, settings: SETTINGS } as const
  return evolve(evolve(emptyBook(''), added), { kind: 'stockShadowed', at: NOW, code: '005930', shadow }).stocks
}

const LEAVES = /^leaves$/
const OLD = /늦어 보내지/
const DEAR = /가격이 낡아/

test.each<[string, Case, RegExp]>([
  ['a fresh buy leaves', {}, LEAVES],
  ['without the lease nothing leaves', { lease: NO_LEASE }, /맡고 있는지/],
  ['a buy may be five seconds old', { marketMs: 5_000 }, LEAVES],
  ['and no older: its price is gone', { marketMs: 5_001 }, DEAR],
  ['a person chose the price of their own buy', { order: { origin: 'person' }, marketMs: 5_001 }, LEAVES],
  ['a sale waits longer', { order: { side: 'sell' }, marketMs: 9_000, bootMs: 9_000 }, LEAVES],
  ['but ten seconds after its commit nothing leaves', { order: { side: 'sell' }, bootMs: 10_500 }, OLD],
  ['also when the market’s clock stood still', { marketMs: 0, bootMs: 10_500 }, OLD],
  ['on paper a minute', { env: 'paper', order: { side: 'sell' }, bootMs: 59_000 }, LEAVES],
  ['and no more', { env: 'paper', order: { side: 'sell' }, bootMs: 60_500 }, OLD],
  ['what was decided otherwise meanwhile stays', { order: { status: 'unknown' } }, /기다리다 만/],
  ['what is being decided otherwise stays, too', { inDoubt: { status: 'unknown' } }, /기다리다 만/],
  ['an account that goes on in another process sends nothing', { ended: true }, /다른 서버가 맡/],
  ['what is being decided of others is no matter', { inDoubt: {} }, LEAVES],
  ['a cancel of its person that is being written holds', { inDoubt: { cancelWanted: true } }, /취소해 달라는/],
  ['a stop of Digger’s own that is being written holds', { inDoubt: { stop: 'reduce' } }, /매수가 멈췄/],
  ['a stop that is not yet durable holds', { pending: 'halt' }, /모든 주문이 멈췄/],
  [
    'another server that may trade the account holds a sale, too',
    { otherServer: true, order: { side: 'sell' } },
    /함께 거래/,
  ],
  ['what is only rehearsed never leaves', { shadow: 'stock', order: { side: 'sell', origin: 'person' } }, /연습/],
  ['nor what is being put into the shadow', { shadow: 'inDoubt', inDoubt: {} }, /연습/],
  ['nor anything while the whole server rehearses', { shadow: 'server' }, /연습/],
  ['one that only ends buying holds a buy', { pending: 'reduce' }, /매수가 멈췄/],
  ['and lets a sale leave', { pending: 'reduce', order: { side: 'sell' } }, LEAVES],
])('%s', (_name, given, expected) => {
  const one: Order = { ...order, ...given.order }
  const suspected = given.otherServer === true ? { text: '', at: NOW, signs: ['key'] } : null
  const otherServer = { suspected, known: [] }
  const book: Book = {
    ...emptyBook('20270115'),
    otherServer,
    orders: new Map([[1, one]]),
    stocks: stocksOf(given.shadow === 'stock'),
  }
  const { stop = 'active', ...changed } = given.inDoubt ?? {}
  const inDoubt =
    given.inDoubt === undefined
      ? null
      : { ...book, stop, orders: new Map([[1, { ...one, ...changed }]]), stocks: stocksOf(given.shadow === 'inDoubt') }
  const clock = { ...realClock, now: () => NOW + (given.marketMs ?? 0) }
  const look = new LastLook(
    {
      mailbox: {
        account: newAccount(book),
        inDoubt,
        ended: given.ended ?? false,
        pendingStop: () => given.pending ?? 'active',
      },
      conditions: { env: given.env ?? 'real', clock, serverStop: 'active', shadow: given.shadow === 'server' },
      lease: given.lease ?? KERNEL_LEASE,
    },
    one,
    bootNow() - (given.bootMs ?? 0),
  )
  expect(look.refuse() ?? 'leaves').toMatch(expected)
})
