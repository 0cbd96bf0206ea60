import {
  comparisonOf,
  kstDay,
  lastKnownCash,
  outlook,
  buyQuote,
  saleQuote,
  strangersToday,
  urgentOf,
  type AnnouncedAction,
  type Attention,
  type Book,
  type Comparison,
  type MorningItem,
  type SaleCommand,
  type BuyAsked,
  type BuyQuote,
  type SaleQuote,
  type ServerLimits,
  type StockOutlook,
  type Stop,
  type Stranger,
} from '@digger/core'
import type { KisCredentials } from '@digger/kis'
import { type KnownStatuses, type LastPrice, marketPrices, PriceVersions } from '@digger/prices'
import { AccountRegistry } from './account-registry.ts'
import { askedOf, carryOut } from './account/carry-out.ts'
import { openedBy } from './account/command-input.ts'
import type { Accounts, BrokerQueries, Command, CommandDone, CommandKey, SocketStatus } from './accounts.ts'
import { Activity } from './activity.ts'
import { Health } from './health.ts'
import type { Broker, BrokerSource } from './broker/connector.ts'
import { TradingConditions, type ConditionsParts } from './conditions.ts'
import { Observers, type AccountsObserver, type StopWritten } from './observer.ts'
import { OtherProcesses } from './other-processes.ts'
import type { StoredStop, Tables } from '@digger/storage'

export interface EngineOptions extends Omit<ConditionsParts, 'prices' | 'closings' | 'announcements'> {
  readonly tables: Tables
  readonly connector: BrokerSource
  readonly problem: (userId: string | null, error: unknown) => void
  /** Called when it turns out that another process has the account. */
  readonly fenced?: (userId: string) => void
  /** Where other processes trade other accounts: makes the stop of the server hold there, too. */
  readonly stopWritten?: StopWritten | undefined
  /** Where other processes may have had an account: no call leaves so long after it was taken, ms. Default 0. */
  readonly takeoverHoldMs?: number | undefined
  /** Between two timer events, ms; longer where time is moved by hand. */
  readonly timerMs?: number
}

const DEFAULT_TIMER_MS = 1_000

/** All accounts of this server: the only thing that trades. */
export class Engine implements Accounts {
  readonly activity: Activity
  readonly health: Health
  readonly #options: EngineOptions
  readonly #observers: Observers
  readonly #conditions: TradingConditions
  readonly #accounts: AccountRegistry
  readonly #priceVersions: PriceVersions
  readonly #others: OtherProcesses

  constructor(options: EngineOptions) {
    const { tables, clock, problem } = options
    this.#observers = new Observers(problem)
    const market = marketPrices(this.#observers, tables.db, options)
    const { prices } = market
    this.#options = options
    this.#conditions = new TradingConditions({ ...options, ...market })
    this.#accounts = new AccountRegistry({
      tables,
      conditions: this.#conditions,
      observers: this.#observers,
      problem,
      fenced: (userId) => options.fenced?.(userId),
    })
    this.#priceVersions = new PriceVersions(prices)
    const stopChanged = (stop: Stop): void => this.#observers.serverStopChanged(stop)
    this.#others = new OtherProcesses({
      db: tables.db,
      conditions: this.#conditions,
      changed: stopChanged,
      written: options.stopWritten,
    })
    this.health = new Health(this.#accounts, tables, clock, () => [
      ...this.#others.troubles,
      ...this.#accounts.troubles,
    ])
    this.activity = new Activity(this.#accounts, prices)
  }

  /** Loads every account that is this process' own; none trades before its key is there. */
  async start(): Promise<void> {
    const { tables, timerMs = DEFAULT_TIMER_MS } = this.#options
    await this.#others.stop.load()
    await this.#conditions.closings.load()
    await this.own(tables.owned.all())
    // Where one server has them all, its operator looks before anything trades.
    for (const error of this.#accounts.unread.values()) throw error
    this.#accounts.startTimer(timerMs)
    this.#others.start()
  }

  /** Takes in at once what another process wrote, such as a halt. */
  lookAround(): Promise<void> {
    return this.#others.look()
  }

  /** Stops deciding, lets what is in flight come back, closes the wires. */
  async stop(): Promise<void> {
    await this.#others.end()
    await this.#accounts.close()
    await this.activity.idle()
  }

  /** These shards are this process' own from now on, by `tables.owned`: loads their accounts. */
  own(shards: readonly number[]): Promise<void> {
    return this.#accounts.own(shards)
  }

  /** Another process takes these shards next: what is on the wire comes back first. */
  letGo(shards: readonly number[]): Promise<void> {
    return this.#accounts.letGo(shards)
  }

  /** Whether the user's account goes to another process, as soon as what is on the wire has come back. */
  isLeaving(userId: string): boolean {
    return this.#accounts.isLeaving(userId)
  }

  /** Another process has these shards, or may have: nothing is written and nothing leaves from this very turn on. */
  lose(shards: readonly number[]): Promise<void> {
    return this.#accounts.lose(shards)
  }

  open(userId: string): Promise<void> {
    return this.#accounts.open(userId)
  }

  book(userId: string): Book {
    return this.#accounts.get(userId).mailbox.book
  }

  has(userId: string): boolean {
    return this.#accounts.find(userId) !== undefined
  }

  strangers(userId: string): readonly Stranger[] {
    return strangersToday(this.#accounts.get(userId).mailbox.account)
  }

  orderable(userId: string): { readonly amount: number; readonly at: number } | null {
    return lastKnownCash(this.#accounts.get(userId).mailbox.account)
  }

  lastPrice(code: string): LastPrice | null {
    return this.#conditions.prices.last(code)
  }

  readonly statuses = (code: string): KnownStatuses => this.#conditions.prices.statusesOf(code)

  dayBase(code: string): number | null {
    const { prices, clock } = this.#conditions
    return prices.dayBase(code, kstDay(clock.now()))
  }

  announced(code: string): AnnouncedAction | null {
    const { announcements, clock } = this.#conditions
    return announcements.next(code, kstDay(clock.now()))
  }

  announcedOn(code: string, day: string): AnnouncedAction | null {
    return this.#conditions.announcements.on(code, day) ?? null
  }

  outlook(userId: string, code: string): StockOutlook {
    const of = this.#accounts.get(userId)
    return outlook(of.mailbox.account, of.context(of.mailbox.account), code)
  }

  attention(userId: string): readonly Attention[] {
    return urgentOf(this.#accounts.get(userId).attention().found)
  }

  morning(userId: string): readonly MorningItem[] {
    return this.#accounts.get(userId).morning()
  }

  comparison(userId: string): Comparison {
    return comparisonOf(this.#accounts.get(userId).mailbox.account)
  }

  saleQuote(userId: string, command: SaleCommand): SaleQuote | null {
    const { account } = this.#accounts.get(userId).mailbox
    return saleQuote(account, this.#conditions.context(account), command)
  }

  buyQuote(userId: string, asked: BuyAsked): BuyQuote | null {
    const { account } = this.#accounts.get(userId).mailbox
    return buyQuote(account, this.#conditions.context(account), asked)
  }

  cacheValidators(userId: string): readonly unknown[] {
    const { account } = this.#accounts.get(userId).mailbox
    const { clock, timetables, serverStop } = this.#conditions
    const prices = this.#priceVersions.of(userId, account.book)
    return [account, prices, serverStop, this.serverStopReason(), timetables.current, Math.floor(clock.now() / 1_000)]
  }

  async ask(userId: string, command: Command, key?: CommandKey): Promise<CommandDone> {
    const around = { rehearsing: this.rehearsing, clock: this.#options.clock }
    return carryOut(this.#accounts.get(userId), askedOf(command, key), around)
  }

  hasDone(userId: string, key: string): boolean {
    return this.#accounts.find(userId)?.mailbox.commands.hasDone(key) === true
  }

  async unlock(userId: string, credentials: KisCredentials): Promise<void> {
    await this.open(userId)
    const account = this.#accounts.get(userId)
    if (account.effects !== null) return
    const { connector, tables, takeoverHoldMs = 0 } = this.#options
    const takenAt = tables.owned.of(userId)?.takenAt ?? 0
    const holdMs = Math.max(0, takenAt + takeoverHoldMs - performance.now())
    account.attach(connector.connect(userId, credentials, holdMs))
  }

  async lock(userId: string): Promise<void> {
    await this.#accounts.get(userId).detach()
  }

  unlocked(userId: string): boolean {
    return this.#accounts.find(userId)?.effects != null
  }

  kis(userId: string): BrokerQueries {
    return this.#broker(userId).rest
  }

  socket(userId: string): SocketStatus {
    return this.#accounts.get(userId).socket.status()
  }

  async connect(userId: string): Promise<void> {
    await this.#broker(userId).socket.connect()
  }

  async disconnect(userId: string): Promise<void> {
    await this.#accounts.get(userId).socket.disconnect()
  }

  #broker(userId: string): Broker {
    return openedBy(this.#accounts.get(userId).effects).broker
  }

  setServerStop(stop: Stop, seen?: number): Promise<void> {
    return this.#others.stop.set(stop, seen)
  }

  /** The stop as the tables have it, read by whoever renews this process' right to trade. */
  takeServerStop(stored: StoredStop): void {
    this.#others.stop.take(stored)
  }

  serverStop(): Stop {
    return this.#conditions.serverStop
  }

  serverStopReason(): string | null {
    return this.#others.stop.why
  }

  rehearsesAll(): boolean {
    return this.#conditions.shadow
  }

  /** What goes along with the accounts and sends nothing. */
  get rehearsing(): AccountRegistry['rehearsing'] {
    return this.#accounts.rehearsing
  }

  get limits(): ServerLimits {
    return this.#conditions.limits
  }

  observe(observer: AccountsObserver): () => void {
    return this.#observers.add(observer)
  }
}
