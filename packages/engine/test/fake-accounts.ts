import { Refused } from '@digger/contract'
import {
  type AnnouncedAction,
  type Attention,
  type Book,
  type Comparison,
  type DueOrder,
  type Fact,
  type BuyAsked,
  type BuyQuote,
  type MorningItem,
  type SaleCommand,
  type SaleQuote,
  type StockOutlook,
  type Stranger,
  emptyBook,
  evolve,
  kstDay,
  withParticle,
} from '@digger/core'
import type { KisCredentials } from '@digger/kis'
import type { Clock } from '@digger/database'
import {
  type Accounts,
  type BrokerQueries,
  type Command,
  type CommandDone,
  type CommandKey,
  type SocketStatus,
} from '../src/accounts.ts'
import { Observers, type AccountsObserver } from '../src/observer.ts'
import type { LastPrice } from '@digger/prices'
import { fakeKis } from '@digger/prices/testing'
import { buyQuoteBy, saleQuoteBy } from './quotes.ts'
import { NO_ACCOUNT_LIMITS } from '@digger/storage/testing'

type Stop = ReturnType<Accounts['serverStop']>

const NO_STRANGERS: readonly Stranger[] = []

class Prices extends Map<string, LastPrice> {
  /** Grows with every price set. */
  changes = 0

  override set(code: string, price: LastPrice): this {
    this.changes += 1
    return super.set(code, price)
  }

  override clear(): void {
    this.changes += 1
    super.clear()
  }
}

/** The port with real books and no engine: commands change the book at once, prices are set by the test. */
export class FakeAccounts implements Accounts {
  readonly commands: { userId: string; command: Command; key?: CommandKey }[] = []
  /** What was done under a key, with each account's commands that had one. */
  readonly done = new Set<string>()
  readonly unlockedWith = new Map<string, KisCredentials>()
  readonly prices = new Prices()
  /** Of the day. */
  readonly bases = new Map<string, number>()
  readonly #dues = new Map<string, DueOrder>()
  attentions: readonly Attention[] = []
  mornings: readonly MorningItem[] = []
  compared: Comparison = { at: null, differing: [] }
  readonly announcedOf = new Map<string, AnnouncedAction>()
  /** What the broker last said may be ordered for. */
  readonly cash = new Map<string, { readonly amount: number; readonly at: number }>()
  readonly #clock: Clock
  readonly #books = new Map<string, Book>()
  readonly #connected = new Set<string>()
  readonly #strangers = new Map<string, readonly Stranger[]>()
  readonly observers = new Observers((_userId, error) => {
    throw error
  })
  #serverStop: Stop = 'active'
  /** The reply to the next commands; an error is thrown. */
  answer: CommandDone | Error = {}
  unlockError: Error | null = null
  kisOf: (userId: string) => BrokerQueries = () => fakeKis()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  async open(userId: string): Promise<void> {
    if (!this.#books.has(userId)) this.#books.set(userId, emptyBook(kstDay(this.#clock.now())))
  }

  /** Lets something happen to an account. */
  happen(userId: string, ...facts: Fact[]): void {
    const before = this.book(userId)
    const after = facts.reduce((book, fact) => evolve(book, fact), before)
    this.#books.set(userId, after)
    this.observers.accountChanged({ userId, before, after, facts })
  }

  book(userId: string): Book {
    const book = this.#books.get(userId)
    if (!book) throw new Refused('NOT_FOUND', '그런 사용자가 없습니다.')
    return book
  }

  has(userId: string): boolean {
    return this.#books.has(userId)
  }

  /** Lets a reading show these orders of somebody else. */
  showStrangers(userId: string, ...strangers: Stranger[]): void {
    this.#strangers.set(userId, strangers)
    this.observers.strangersChanged(userId)
  }

  strangers(userId: string): readonly Stranger[] {
    return this.#strangers.get(userId) ?? NO_STRANGERS
  }

  morning(): readonly MorningItem[] {
    return this.mornings
  }

  orderable(userId: string): { readonly amount: number; readonly at: number } | null {
    return this.cash.get(userId) ?? null
  }

  lastPrice(code: string): LastPrice | null {
    return this.prices.get(code) ?? null
  }

  dayBase(code: string): number | null {
    return this.bases.get(code) ?? null
  }

  /** Lets orders of these stocks be due, or not any more. */
  setDue(userId: string, code: string, due: DueOrder | null): void {
    if (due === null) this.#dues.delete(code)
    else this.#dues.set(code, due)
    this.observers.duesChanged(userId, [code])
  }

  attention(): readonly Attention[] {
    return this.attentions
  }

  comparison(): Comparison {
    return this.compared
  }

  announcedOn(code: string, day: string): AnnouncedAction | null {
    const action = this.announced(code)
    return action?.day === day ? action : null
  }

  announced(code: string): AnnouncedAction | null {
    return this.announcedOf.get(code) ?? null
  }

  buyQuote(_userId: string, { code }: BuyAsked): BuyQuote {
    return buyQuoteBy(this.lastPrice(code))
  }

  statuses() {
    return { statuses: [], at: null }
  }

  saleQuote(_userId: string, { code }: SaleCommand): SaleQuote {
    return saleQuoteBy(this.lastPrice(code))
  }

  outlook(_userId: string, code: string): StockOutlook {
    return {
      nextBuyPrice: this.prices.has(code) ? 69_300 : null,
      nextSellPrice: null,
      due: this.#dues.get(code) ?? null,
      reasons: [{ side: 'buy', ok: false, code: 'aboveNextPrice', text: '다음 매수가를 기다립니다.' }],
    }
  }

  cacheValidators(userId: string): readonly unknown[] {
    const strangers = this.strangers(userId)
    const second = Math.floor(this.#clock.now() / 1_000)
    return [this.book(userId), strangers, this.#serverStop, this.shadow, this.prices.changes, second]
  }

  hasDone(userId: string, key: string): boolean {
    return this.done.has(`${userId} ${key}`)
  }

  async ask(userId: string, command: Command, key?: CommandKey): Promise<CommandDone> {
    if (key !== undefined && this.hasDone(userId, key.key) && !(this.answer instanceof Error)) return this.answer
    if (this.answer instanceof Error) throw this.answer
    if (command.kind === 'deleteStock' && !this.book(userId).stocks.has(command.code))
      throw new Refused('NOT_FOUND', `${withParticle(command.code, '은')} 목록에 없는 종목입니다.`)
    const at = this.#clock.now()
    this.commands.push({ userId, command, ...(key && { key }) })
    if (key !== undefined) this.done.add(`${userId} ${key.key}`)
    if (command.kind === 'updateStock') this.#save(userId, command, at)
    if (command.kind === 'deleteStock') this.happen(userId, { at, kind: 'stockRemoved', code: command.code })
    if (command.kind === 'setSubscribed') {
      this.happen(userId, { at, kind: 'subscribed', code: command.code, subscribed: command.subscribed })
    }
    if (command.kind === 'keepShares')
      this.happen(userId, { at, kind: 'sharesKept', code: command.code, count: command.count })
    if (command.kind === 'releaseLots')
      this.happen(userId, { at, kind: 'lotsReleased', code: command.code, lotIds: command.lotIds })
    if (command.kind === 'keepStock')
      this.happen(userId, { at, kind: 'stockThawed', code: command.code, settledOn: command.day })
    if (command.kind === 'giveUpExpected')
      this.happen(userId, { at, kind: 'expectedGivenUp', code: command.code, lots: [] })
    if (command.kind === 'dismissOtherServer') this.happen(userId, { at, kind: 'otherServerDismissed', known: [] })
    if (command.kind === 'setStop') {
      const { code, stop } = command
      this.happen(userId, code === null ? { at, kind: 'userStopped', stop } : { at, kind: 'stockStopped', code, stop })
    }
    return this.answer
  }

  #save(userId: string, command: Extract<Command, { kind: 'updateStock' }>, at: number): void {
    const { code, settings, listing, version } = command
    const known = this.book(userId).stocks.get(code)
    if (known && version !== null && version !== known.version) {
      throw new Refused('CONFLICT', '그사이 종목이 바뀌었습니다. 새로 읽은 뒤 다시 저장해 주세요.')
    }
    if (listing && !known) this.happen(userId, { at, kind: 'stockAdded', code, ...listing, settings })
    else this.happen(userId, { at, kind: 'settingsSaved', code, settings })
  }

  async unlock(userId: string, credentials: KisCredentials): Promise<void> {
    if (this.unlockError) throw this.unlockError
    await this.open(userId)
    this.unlockedWith.set(userId, credentials)
    this.#connected.add(userId)
  }

  async lock(userId: string): Promise<void> {
    this.unlockedWith.delete(userId)
    this.#connected.delete(userId)
  }

  unlocked(userId: string): boolean {
    return this.unlockedWith.has(userId)
  }

  kis(userId: string): BrokerQueries {
    if (!this.unlocked(userId)) throw new Refused('NEED_USERKEY', '사용자 키가 필요합니다.')
    return this.kisOf(userId)
  }

  socket(userId: string): SocketStatus {
    const connected = this.#connected.has(userId)
    const at = this.#clock.now()
    const stocks = [...this.book(userId).stocks.values()]
    return {
      connected,
      refused: false,
      connectedAt: connected ? at : null,
      orderedAt: null,
      disconnectedAt: connected ? null : at,
      updatedAt: null,
      stocks: stocks.map(({ issue, name }) => ({ code: issue.code, name, updatedAt: null })),
    }
  }

  async connect(userId: string): Promise<void> {
    this.#connected.add(userId)
  }

  async disconnect(userId: string): Promise<void> {
    this.#connected.delete(userId)
  }

  async setServerStop(stop: Stop): Promise<void> {
    this.#serverStop = stop
  }

  readonly limits = NO_ACCOUNT_LIMITS
  /** As `SHADOW=1`. */
  shadow = false

  serverStop(): Stop {
    return this.#serverStop
  }

  serverStopReason(): string | null {
    return null
  }

  rehearsesAll(): boolean {
    return this.shadow
  }

  observe(observer: AccountsObserver): () => void {
    return this.observers.add(observer)
  }
}
