import type { Decisions } from '../runtime/decisions.ts'
import { StateLog } from '../runtime/state-log.ts'
import { Account, type SimOrder } from './account.ts'
import { costsOf, incomeTax, type CostAssumptions, type TaxedIssue } from './costs.ts'
import type { AcceptedOrder, Fact, Reduction, SimAccount } from './facts.ts'

interface LedgerOptions {
  /** Ms until a fill shows in the balance. */
  readonly balanceLag: (account: string) => number
  /** KST day the money of a trade of `day` moves. */
  readonly settles: (day: string) => string
  readonly stateDir: string | null
  readonly assumed: Decisions<CostAssumptions>
}

/** All accounts, as the sum of the facts. A fact is on file before any listener receives it. */
export class Ledger {
  readonly accounts = new Map<string, Account>()
  /** KST day of the last `day` fact; empty before the first. */
  day = ''
  readonly #options: LedgerOptions
  readonly #log: StateLog<Fact> | null
  readonly #listeners: ((fact: Fact, account: Account | null) => void)[] = []
  #lastNumber = 0

  constructor(options: LedgerOptions) {
    this.#options = options
    this.#log = options.stateDir === null ? null : StateLog.open<Fact>(options.stateDir, (fact) => this.#apply(fact, 0))
  }

  onFact(listener: (fact: Fact, account: Account | null) => void): void {
    this.#listeners.push(listener)
  }

  account(number: string): Account {
    const account = this.accounts.get(number)
    if (!account) throw new Error(`no pretend account ${number}`)
    return account
  }

  /** Idempotent: an account that the log already opened stays as it is. */
  open(at: number, spec: SimAccount): Account {
    const number = spec.credentials.accountNumber
    if (!this.accounts.has(number)) this.#record({ kind: 'opened', at, account: number, spec })
    return this.account(number)
  }

  accept(at: number, order: Omit<AcceptedOrder, 'odno' | 'day' | 'at'>): SimOrder {
    const odno = String(this.#lastNumber + 1).padStart(10, '0')
    this.#record({ kind: 'accepted', at, account: order.account, order: { ...order, odno, day: this.day, at } })
    const accepted = this.account(order.account).order(this.day, odno)
    if (!accepted) throw new Error(`order ${odno} was not booked`)
    return accepted
  }

  fill(at: number, order: SimOrder, issue: TaxedIssue, price: number, count: number): void {
    const { fee, tax } = this.#costs(order, issue, price, count)
    this.#record({
      kind: 'filled',
      at,
      account: order.account,
      day: order.day,
      odno: order.odno,
      code: order.code,
      side: order.side,
      price,
      count,
      venue: order.routed,
      fee: fee - order.fee,
      tax: tax - order.tax,
      settles: this.#options.settles(this.day),
    })
  }

  reduce(at: number, order: SimOrder, count: number, why: Reduction, by: string | null = null): void {
    this.#record({ kind: 'reduced', at, account: order.account, day: order.day, odno: order.odno, count, why, by })
  }

  set(at: number, account: string, change: Pick<Extract<Fact, { kind: 'set' }>, 'cash' | 'holding'>): void {
    this.account(account)
    this.#record({ kind: 'set', at, account, ...change })
  }

  payDividend(
    at: number,
    { number }: Account,
    paid: { code: string; exDay: string; count: number; gross: number },
  ): void {
    const { gross, ...rest } = paid
    const tax = incomeTax(gross, this.#options.assumed)
    this.#record({ kind: 'dividend', at, account: number, ...rest, won: gross - tax, tax })
  }

  creditShares(
    at: number,
    { number }: Account,
    credited: Pick<Extract<Fact, { kind: 'credited' }>, 'code' | 'exDay' | 'count' | 'cost' | 'won'>,
  ): void {
    this.#record({ kind: 'credited', at, account: number, ...credited })
  }

  beginDay(at: number, day: string): void {
    this.#record({ kind: 'day', at, day })
  }

  close(): void {
    this.#log?.close()
  }

  /** Fee and tax of a whole order so far: cut to a won once per order and day, not once per fill. */
  #costs(order: SimOrder, issue: TaxedIssue, price: number, count: number): { fee: number; tax: number } {
    const account = this.account(order.account)
    const deal = {
      side: order.side,
      amount: order.filledAmount + price * count,
      soldCost: order.side === 'sell' ? account.soldCost(order) + account.truth.costOf(order.code, count) : 0,
      issue,
      day: order.day,
      brokerage: account.spec.brokeragePercent === undefined ? null : account.brokerage,
    }
    return costsOf(deal, this.#options.assumed)
  }

  #record(fact: Fact): void {
    this.#log?.append(fact)
    this.#apply(fact, fact.kind === 'filled' ? fact.at + this.#options.balanceLag(fact.account) : 0)
    const account = 'account' in fact ? (this.accounts.get(fact.account) ?? null) : null
    for (const listener of this.#listeners) listener(fact, account)
  }

  #apply(fact: Fact, shownAt: number): void {
    if (fact.kind === 'opened') this.accounts.set(fact.account, new Account(fact.spec))
    if (fact.kind === 'day') {
      this.day = fact.day
      this.#lastNumber = 0
      for (const account of this.accounts.values()) account.beginDay(fact.day)
      return
    }
    const account = this.account(fact.account)
    account.facts.push(fact)
    switch (fact.kind) {
      case 'opened':
        return
      case 'set':
        if (fact.cash !== undefined) account.setCash(fact.cash)
        if (fact.holding) account.setHolding(fact.holding.code, fact.holding.count, fact.holding.averagePrice)
        return
      case 'dividend':
        account.payIn(fact.won)
        return
      case 'credited':
        account.credit(fact)
        return
      case 'accepted':
        this.#lastNumber = Number(fact.order.odno)
        account.accept(fact.order)
        return
      case 'filled':
        account.fill(fact, shownAt)
        return
      case 'reduced':
        account.reduce(fact)
    }
  }
}
