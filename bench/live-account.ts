import {
  type Account,
  type AccountEvent,
  type Context,
  type Execution,
  type Order,
  type Quote,
  type Settings,
  dailyLimits,
  emptyBook,
  kstInstant,
  newAccount,
  step,
} from '@digger/core'
import { NO_ACCOUNT_LIMITS, SETTINGS as EXAMPLE } from '@digger/engine/testing'

export const CODE = '005930'

export const SETTINGS: Settings = { ...EXAMPLE, maxBuyAmount: 20_000_000, lastBuyPrice: null }

/** Hashes trades into one number: every bar, side, price and count counts. */
export class Trades {
  hash = 2_166_136_261
  count = 0

  add(bar: number, side: 1 | 2, price: number, count: number): void {
    this.hash = Math.imul(this.hash ^ bar, 16_777_619)
    this.hash = Math.imul(this.hash ^ (price * 2 + side), 16_777_619)
    this.hash = Math.imul(this.hash ^ count, 16_777_619)
    this.count += 1
  }
}

/** An account with a broker that takes and fills everything at once, at the order's price. */
export class LiveAccount {
  account: Account = newAccount(emptyBook('20261116'))
  readonly trades = new Trades()
  now = kstInstant('20261116', 90_000)
  #quote: Quote | undefined
  readonly #context: Omit<Context, 'now'> = {
    env: 'real',
    timetable: { hours: 'always', closed: new Set(), special: new Map() },
    limits: NO_ACCOUNT_LIMITS,
    serverStop: 'active',
    quote: () => this.#quote,
  }

  constructor() {
    const issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false } as const
    const listing = { issue, name: CODE }
    this.#do({
      kind: 'command',
      ticket: 1,
      command: { kind: 'updateStock', code: CODE, version: null, settings: SETTINGS, listing },
    })
    this.#do({ kind: 'authorised', authorised: true })
    this.#read([])
  }

  bar(bar: number, price: number): void {
    this.now += 1
    const band = dailyLimits(70_000, 'stock', 'KOSPI')
    this.#quote = { price, at: this.now, live: true, halted: false, band }
    for (let order = this.#lowestSell(); order !== undefined && price >= order.price; order = this.#lowestSell()) {
      this.trades.add(bar, 2, order.price, order.count)
      this.#fill(order)
    }
    this.#do({ kind: 'price', code: CODE })
    for (const order of this.account.book.orders.values()) {
      if (order.side !== 'buy' || order.status !== 'open') continue
      this.trades.add(bar, 1, order.price, order.count)
      this.#fill(order)
    }
  }

  tick(price: number): void {
    this.#quote = { price, at: this.now, live: true, halted: false, band: null }
    this.account = step(this.account, { kind: 'price', code: CODE }, this.context()).account
  }

  context(): Context {
    return { ...this.#context, now: this.now }
  }

  #lowestSell(): Order | undefined {
    let lowest: Order | undefined
    for (const order of this.account.book.orders.values()) {
      if (order.side === 'sell' && order.status === 'open' && (lowest === undefined || order.price < lowest.price))
        lowest = order
    }
    return lowest
  }

  #fill({ id, odno, code, side, venue, day, count, price, createdAt }: Order): void {
    const filledAmount = count * price
    const row = {
      day,
      odno: odno ?? String(id),
      orgno: '',
      originalOdno: null,
      code,
      name: code,
      side,
      venue,
      count,
      price,
    }
    const state = {
      orderedAt: createdAt,
      filledCount: count,
      filledAmount,
      remainingCount: 0,
      rejectedCount: 0,
      cancelled: false,
    }
    this.#read([{ ...row, ...state }])
  }

  #read(executions: readonly Execution[]): void {
    const balance = { holdings: [], depositAmount: 0 }
    const first = executions.length === 0 ? balance : null
    this.#do({
      kind: 'snapshot',
      snapshot: { askedAt: this.now, from: '20261116', to: '20261116', executions, balance: first },
    })
  }

  #do(event: AccountEvent): void {
    const next = step(this.account, event, this.context())
    this.account = next.account
    for (const effect of next.effects) {
      if (effect.kind === 'send')
        this.#do({ kind: 'accepted', orderId: effect.orderId, odno: String(effect.orderId), orgno: '' })
      if (effect.kind === 'askCash') this.#do({ kind: 'cash', amount: 1_000_000_000_000, askedAt: this.now })
    }
  }
}
