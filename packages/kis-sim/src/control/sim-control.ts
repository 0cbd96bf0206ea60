import type { Side } from '@digger/core'
import type { SimClock } from '../runtime/clock.ts'
import type { Faults } from '../faults/faults.ts'
import type { SimOrder } from '../ledger/account.ts'
import type { Fact, SimAccount } from '../ledger/facts.ts'
import type { Happening } from '../exchange/happening.ts'
import type { Warning } from '../exchange/universe.ts'
import type { IssuedKeys } from '../rest/keys.ts'
import type { Traffic } from '../rest/gateway.ts'
import type { Broker } from '../broker/broker.ts'
import type { PhoneAct } from '../broker/phone.ts'

export interface SetPrice {
  /** Shares of the trade; the default reaches every waiting order at that price. */
  readonly count?: number
  /** Who crossed the spread: after `buy` (the default) the price is the ask, after `sell` the bid. */
  readonly aggressor?: Side
  /** Default: every venue that trades the issue now. */
  readonly venue?: 'KRX' | 'NXT'
}

export interface SimHolding {
  readonly code: string
  readonly count: number
  /** Not locked in live sells. */
  readonly sellable: number
  readonly averagePrice: number
}

export interface SimCash {
  /** Settled: D+0. */
  readonly deposit: number
  /** After everything has settled: D+2. */
  readonly settled: number
  /** Free for new orders. */
  readonly orderable: number
}

/** Controls of a running pretend broker, for tests and tools of the same process. */
export interface Sim {
  readonly url: string
  readonly wsUrl: string
  readonly port: number
  readonly clock: SimClock
  readonly faults: Faults
  /** The true state behind the wire, for reading; the functions below change it. */
  readonly broker: Broker
  readonly accounts: readonly SimAccount[]
  price(code: string): number
  /** One trade of the market at a price (an indication while the market collects). Throws outside the day's limits. */
  setPrice(code: string, price: number, how?: SetPrice): void
  /** Gives a stock another base price: its limits move with it, its day starts over. */
  setBase(code: string, base: number): void
  setHalted(code: string, halted: boolean): void
  /** The exchange designates an issue from now on; null: it ends. */
  setWarning(code: string, as: Warning | null): void
  /** A volatility interruption of `ms` (default two minutes). */
  interrupt(code: string, ms?: number): void
  /** Something more befalls the market at its moment; what of it has begun happens now. Survives a restart. */
  happen(happening: Happening): void
  addAccount(account: SimAccount): void
  setCash(account: string, won: number): void
  setHolding(account: string, code: string, count: number, averagePrice: number): void
  orders(account: string): readonly SimOrder[]
  liveOrders(account: string): readonly SimOrder[]
  holdings(account: string): readonly SimHolding[]
  cash(account: string): SimCash
  /** All that really happened to an account, in order, whatever the notices and lists showed. */
  trueEvents(account: string): readonly Fact[]
  /** A trade of another program on the same account: it just happens, at `price`. */
  outsideTrade(account: string, trade: { code: string; side: Side; count: number; price: number }): SimOrder
  /** The account's owner gives an order, or cancels one, in the broker's app. Throws what the broker refuses it with. */
  byPhone(account: string, act: PhoneAct): SimOrder
  readonly traffic: Traffic
  framesSent(appKey: string): number
  /** Registrations of an app key that are served now, as `TR_ID key`: a frozen socket serves none. */
  registered(appKey: string): readonly string[]
  /** Whether a line has the app key, served or frozen, so that the broker refuses another one. */
  isKeyHeld(appKey: string): boolean
  /** Ends, or freezes, the sockets of an app key (all without one). */
  sockets(what: 'cut' | 'close' | 'freeze', appKey?: string): void
  expireTokens(appKey?: string): void
  /** What it has handed out to whoever authenticated. */
  issuedKeys(): IssuedKeys
  /** The broker restarts: sockets drop, tokens and approval keys are forgotten, orders stay. */
  restart(): void
  close(): Promise<void>
}
