import { Refused } from '@digger/contract'
import {
  isShadowed,
  outlook,
  type Account,
  type AccountCommand,
  type CommandResult,
  type Context,
  type RealStart,
  type Reason,
} from '@digger/core'
import type { Clock, Db, OwnedShards } from '@digger/database'
import type { AccountChanged, AccountsObserver, AnswerLimit, Command, Rehearsal, Rehearsing } from '@digger/engine'
import { type Failure, Failures } from './failures.ts'
import { DEFAULT_RULE, tradeOf, type FillRule } from './fills.ts'
import { followed, meeting, ownStops, shadowedStocks, type RealAccount } from './follow.ts'
import { appendShadow, loadShadow } from './journal.ts'
import { ShadowAccount } from './shadow-account.ts'
import { cashLeft, type ShadowState } from './state.ts'

export interface ShadowsParts {
  readonly rehearsing: Pick<Rehearsing, 'isEverything' | 'book' | 'isAuthorised' | 'contextOf' | 'cash' | 'realStart'>
  readonly db: Db
  readonly clock: Pick<Clock, 'now'>
  readonly owned: Pick<OwnedShards, 'of'>
  readonly rule?: FillRule | undefined
  readonly problem: (userId: string, error: unknown) => void
}

interface Here {
  readonly account: ShadowAccount
  /** Of the owner of the real account. */
  readonly epoch: number
}

interface Opening extends Pick<Here, 'epoch'> {
  readonly failed: (error: unknown) => void
}

/** Whoever watches prices is told in the turn of the trade: what is older was read again, ms. */
const NEW_MS = 1_000

/** What is ordered by hand: it goes where the stock's orders go. */
const BY_HAND = ['sellStock', 'sellAtPrice', 'sellAtMarket', 'sellTrade', 'marketBuy'] as const
type ByHand = Extract<Command, { kind: (typeof BY_HAND)[number] }>
const isByHand = (command: Command): command is ByHand => BY_HAND.some((kind) => kind === command.kind)

/** The rehearsals of all accounts that this process has. */
export class Shadows implements Rehearsal, AccountsObserver {
  readonly #parts: ShadowsParts
  readonly #here = new Map<string, Here>()
  readonly #opening = new Map<string, Promise<void>>()
  readonly #failures = new Failures()

  constructor(parts: ShadowsParts) {
    this.#parts = parts
  }

  get rule(): FillRule {
    return this.#parts.rule ?? DEFAULT_RULE
  }

  get isEverything(): boolean {
    return this.#parts.rehearsing.isEverything
  }

  /** What the stock would send if it left the shadow now. */
  realStart(userId: string, code: string): RealStart {
    return this.#parts.rehearsing.realStart(userId, code)
  }

  /** Null: nothing of the account is rehearsed here. */
  state(userId: string): ShadowState | null {
    return this.#here.get(userId)?.account.state ?? null
  }

  /** Whether the account's rehearsal is not here because it failed: it is opened again after a while. */
  hasFailed(userId: string): boolean {
    return !this.#here.has(userId) && this.#failures.has(userId)
  }

  /** Why the stock would be traded or not, by the rehearsal's own book. */
  reasons(userId: string, code: string): readonly Reason[] {
    const state = this.state(userId)
    return state === null ? [] : outlook(state.account, this.#context(userId, state.account), code).reasons
  }

  /**
   * Lets the rehearsal of the stock go on that limits of its own have stopped, the stock or all of it. Resolves to whether there was
   * something to let go, once it is durable.
   */
  async resume(userId: string, code: string): Promise<boolean> {
    const account = this.#here.get(userId)?.account
    const { book } = account?.state.account ?? {}
    if (account === undefined || book?.stocks.has(code) !== true) return false
    const ofStock = ownStops(book, code).length > 0
    const ofAccount = ownStops(book, null).length > 0
    if (ofStock) await account.ask({ kind: 'setStop', level: 'stock', code, stop: 'active' })
    if (ofAccount) await account.ask({ kind: 'setStop', level: 'user', code: null, stop: 'active' })
    this.#meet(userId, account)
    return ofStock || ofAccount
  }

  /** What waits in mailboxes. */
  get queue(): number {
    return [...this.#here.values()].reduce((sum, { account }) => sum + account.waiting, 0)
  }

  get busy(): boolean {
    return this.#opening.size > 0 || [...this.#here.values()].some(({ account }) => account.busy)
  }

  /** Whether a rehearsal looks at each price of the stock: what rests in it nobody else watches. */
  concerns(code: string): boolean {
    return [...this.#here.values()].some(({ account }) => account.state.account.book.stocks.has(code))
  }

  ticked(userId: string): void {
    const real = this.#real(userId)
    const epoch = this.#parts.owned.of(userId)?.epoch
    const here = this.#here.get(userId)
    if (here !== undefined && here.epoch !== epoch) this.#drop(userId)
    if (real === null || epoch === undefined) return this.#failures.forget(userId)
    const account = this.#here.get(userId)?.account
    if (account === undefined) {
      if (shadowedStocks(real).length > 0) this.#open(userId, epoch)
      return
    }
    const { authorised } = account.state.account.view.connection
    const now = this.#parts.rehearsing.isAuthorised(userId)
    if (authorised !== now) account.post({ kind: 'authorised', authorised: now })
    account.timer()
  }

  priceChanged(code: string): void {
    for (const [userId, { account }] of this.#here) {
      if (!account.state.account.book.stocks.has(code)) continue
      const quote = this.#context(userId, account.state.account).quote(code)
      if (quote === undefined || quote.price <= 0) continue
      const isNew = this.#parts.clock.now() - quote.at < NEW_MS
      account.priceChanged(code, isNew ? tradeOf(quote) : null)
    }
  }

  accountChanged({ userId, before, facts }: AccountChanged): void {
    const account = this.#here.get(userId)?.account
    if (account === undefined) return
    account.add((state) => followed(facts, before, state.account.book))
    this.#meet(userId, account)
  }

  socketChanged(userId: string, connected: boolean): void {
    if (connected) this.#here.get(userId)?.account.post({ kind: 'linked' })
  }

  async take(userId: string, command: Command, limit: AnswerLimit): Promise<void> {
    if (!isByHand(command)) return
    const { rehearsing } = this.#parts
    const stock = rehearsing.book(userId)?.stocks.get(command.code)
    if (stock === undefined || !isShadowed(stock, { shadow: rehearsing.isEverything })) return
    const account = this.#here.get(userId)?.account
    if (account === undefined)
      throw new Refused('BUSY', `연습: 보내지 않았습니다. ${this.hasFailed(userId) ? NOT_OPENED : OPENING}`)
    const whole = await limit.preparation(this.#whole(userId, account, command))
    const result = await limit.outcome(account.ask(whole))
    throw new Refused('CONFLICT', messageOf(result))
  }

  async #whole(userId: string, account: ShadowAccount, command: ByHand): Promise<AccountCommand> {
    if (command.kind !== 'marketBuy') return command
    const { amount, askedAt } = await this.#parts.rehearsing.cash(userId, command.code)
    return { ...command, cash: cashLeft(account.state, amount, askedAt), askedAt }
  }

  #real(userId: string): RealAccount | null {
    const { rehearsing } = this.#parts
    const book = rehearsing.book(userId)
    return book === undefined ? null : { book, isEverything: rehearsing.isEverything }
  }

  /** Its first days are the real account's: a book that never ordered would begin some of its own. */
  #context(userId: string, account: Account): Context {
    const { limits, ...context } = this.#parts.rehearsing.contextOf(userId, account)
    const { firstDays: _, ...others } = limits
    return { ...context, limits: others }
  }

  #open(userId: string, epoch: number): void {
    const openedAt = this.#parts.clock.now()
    if (this.#opening.has(userId) || !this.#failures.mayOpen(userId, epoch, openedAt)) return
    const failed = (error: unknown): void => this.#failed(userId, { epoch, openedAt, error })
    const opening = this.#load(userId, { epoch, failed })
      .catch(failed)
      .finally(() => this.#opening.delete(userId))
    this.#opening.set(userId, opening)
  }

  #failed(userId: string, failure: Omit<Failure, 'now'>): void {
    const { clock, problem } = this.#parts
    if (this.#here.get(userId)?.account.ended === true) this.#here.delete(userId)
    if (this.#failures.add(userId, { ...failure, now: clock.now() })) problem(userId, failure.error)
  }

  async #load(userId: string, { epoch, failed }: Opening): Promise<void> {
    const { db, rehearsing } = this.#parts
    const account = new ShadowAccount(await loadShadow(db, userId), {
      rule: this.rule,
      contextOf: (state) => this.#context(userId, state.account),
      commit: (seq, facts) => appendShadow(db, userId, { seq, epoch }, facts),
      cash: (code) => rehearsing.cash(userId, code),
      failed,
    })
    // Its first event may have ended it already.
    if (account.ended) return
    this.#here.set(userId, { account, epoch })
    this.#meet(userId, account)
  }

  /** Takes over what the real account says by then. */
  #meet(userId: string, account: ShadowAccount): void {
    account.add((state, now) => {
      const real = this.#real(userId)
      return real === null ? [] : meeting(real, state.account.book, now)
    })
  }

  #drop(userId: string): void {
    this.#here.get(userId)?.account.end(new Refused('BUSY', '계좌를 맡은 서버가 바뀌었습니다. 잠시 뒤 다시 해 주세요.'))
    this.#here.delete(userId)
  }
}

const OPENING = '그림자 장부를 여는 중입니다. 잠시 뒤 다시 해 주세요.'
const NOT_OPENED = '그림자 장부를 열지 못했습니다. 저절로 다시 시도합니다. 원인은 관리자의 기록에 있습니다.'

function messageOf(result: CommandResult): string {
  if (!result.ok) return `연습: 보내지 않았습니다. 그림자 장부에도 적지 못했습니다: ${result.text}`
  const { length } = result.orderIds
  return length === 0
    ? '연습: 보내지 않았습니다. 그림자 장부는 이미 그렇게 되어 있습니다.'
    : `연습: 보내지 않았습니다. 그림자 장부에 주문 ${length}건을 적었습니다.`
}
