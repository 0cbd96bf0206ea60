import {
  dailyLimits,
  kstInstant,
  type AccountEvent,
  type Context,
  type Fact,
  type Issue,
  type Order,
  type Quote,
  type Settings,
} from '@digger/core'
import { NO_ACCOUNT_LIMITS } from '@digger/storage/testing'
import type { FillRule } from '../src/fills.ts'
import { rehearse, rehearsePrice, type Rehearsed } from '../src/rehearse.ts'
import { EMPTY_STATE, evolveState, type ShadowState } from '../src/state.ts'

export const CODE = '005930'
export const DAY = '20261116'
export const ISSUE: Issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false }
export const SETTINGS: Settings = {
  maxBuyPrice: 70_000,
  maxBuyAmount: 1_000_000,
  buyUnitPrice: 150_000,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 1,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}

/** One rehearsal, whose market and whose real cash a test moves by hand. */
export class Stage {
  now = kstInstant(DAY, 100_000)
  state: ShadowState = EMPTY_STATE
  rule: FillRule = 'through'
  /** Real won; null: the question fails. */
  cash: number | null = 10_000_000
  serverStop: Context['serverStop'] = 'active'
  readonly journal: Fact[] = []
  results: Rehearsed['results'] = new Map()
  #quote: Quote | undefined

  constructor(settings: Partial<Settings> = {}) {
    this.#quote = {
      price: 80_000,
      at: this.now,
      live: true,
      halted: false,
      band: dailyLimits(70_000, 'stock', 'KOSPI'),
    }
    this.do({ kind: 'restarted', lateMs: 0 })
    this.add({
      kind: 'stockAdded',
      code: CODE,
      name: '삼성전자',
      issue: ISSUE,
      settings: { ...SETTINGS, ...settings },
      at: 0,
    })
    this.do({ kind: 'authorised', authorised: true }).timer()
  }

  get ctx(): Context {
    const timetable = { hours: 'krx', closed: new Set<string>(), special: new Map() } as const
    return {
      now: this.now,
      env: 'real',
      limits: NO_ACCOUNT_LIMITS,
      serverStop: this.serverStop,
      timetable,
      quote: () => this.#quote,
    }
  }

  get orders(): string[] {
    return [...this.state.account.book.orders.values()].map(shown)
  }

  get lots(): string[] {
    const lots = this.state.account.book.stocks.get(CODE)?.lots ?? []
    return lots.map(({ count, buyPrice }) => `${count} @ ${buyPrice}`)
  }

  /** Facts that no rule decides. */
  add(...facts: Fact[]): this {
    this.journal.push(...facts)
    this.state = facts.reduce(evolveState, this.state)
    return this
  }

  do(event: AccountEvent): this {
    return this.#take(rehearse(this.state, event, this.ctx))
  }

  timer(ms = 1_000): this {
    this.now += ms
    return this.do({ kind: 'timer' })
  }

  /** A trade a second later, with the answer to the question about cash that it raises. */
  price(price: number): this {
    this.now += 1_000
    if (this.#quote !== undefined) this.#quote = { ...this.#quote, price, at: this.now }
    const traded = { low: price, high: price, first: price, at: this.now }
    return this.#take(rehearsePrice(this.state, CODE, { traded, rule: this.rule }, this.ctx))
  }

  #take({ state, facts, results, cashAsked }: Rehearsed): this {
    this.state = state
    this.journal.push(...facts)
    this.results = results
    if (cashAsked === null) return this
    if (this.cash === null) return this.do({ kind: 'cashFailed', text: '답이 없습니다.' })
    return this.do({ kind: 'cash', amount: this.cash, askedAt: this.now })
  }
}

export const shown = ({ side, count, price, status, odno }: Order): string =>
  `${odno ?? '-'} ${side} ${count} @ ${price} ${status}`
