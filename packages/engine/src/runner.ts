import { Refused } from '@digger/contract'
import { setTimeout as delay } from 'node:timers/promises'
import {
  effectiveStop,
  newAccount,
  step,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type Answer,
  type Book,
  type Context,
  type Effect,
  type Fact,
  type Order,
  type Step,
  type Stop,
} from '@digger/core'
import type { Committer } from './committer.ts'
import type { Loaded } from './load.ts'
import { changesOf } from './rows-of.ts'

type EventOf<E> = E extends { kind: 'command' } ? never : E
export type OutsideEvent = EventOf<AccountEvent>

export interface RunnerWorld {
  readonly committer: Pick<Committer, 'commit'>
  readonly context: () => Context
  /** Runs an effect; what comes of it is posted back. Never throws. */
  readonly perform: (effect: Exclude<Effect, { kind: 'answer' }>, book: Book) => void
  /** After every durable change. */
  readonly changed: (before: Book, after: Book, facts: readonly Fact[]) => void
  readonly reload: () => Promise<Loaded>
  /** Whether the broker may be used now. */
  readonly authorised: () => boolean
  /** How long an order on its way when the process before us ended may still reach the broker, ms. */
  readonly inheritedMs: number
  readonly problem: (error: unknown) => void
}

/** After a refused commit the account is read again this much later, ms; doubled while they are refused. */
const RETRY_MS = 100
const RETRY_MAX_MS = 5_000
/** An event that the tables refuse is given up after so many tries. */
const MAX_TRIES = 3
/** An order on the wire of this very process: its time-out (20 s), after which the connection is reset, and the listing lag, ms. */
const OWN_LATE_MS = 40_000

interface Ticket {
  readonly done: (answer: Extract<Answer, { ok: true }>) => void
  readonly failed: (error: unknown) => void
}

/**
 * The mailbox of one account: strictly one event at a time, and no effect before its facts are durable.
 * `book` is what readers see: always a durable state.
 */
export class Runner {
  readonly userId: string
  readonly #world: RunnerWorld
  #account: Account
  #seq: number
  #queue: AccountEvent[] = []
  readonly #queuedPrices = new Set<string>()
  readonly #tickets = new Map<number, Ticket>()
  #nextTicket = 1
  #busy = false
  #stale = false
  /** Commits refused in a row. */
  #failures = 0
  /** When the first of them was refused, by the process' even clock, ms. */
  #failingSince: number | null = null
  /** How often an event could not be committed. */
  readonly #tries = new WeakMap<AccountEvent, number>()
  /** When the event in hand was taken, by the process' even clock, ms. */
  #since = 0
  #timerQueued = false
  /** Stops that were asked for and are not durable yet: they hold at once. */
  #hasty: { level: 'user' | 'stock'; code: string | null; stop: Stop }[] = []
  readonly #idle: (() => void)[] = []

  constructor(userId: string, loaded: Loaded, world: RunnerWorld) {
    this.userId = userId
    this.#world = world
    this.#account = newAccount(loaded.book)
    this.#seq = loaded.seq
    this.post({ kind: 'restarted', lateMs: world.inheritedMs })
  }

  get book(): Book {
    return this.#account.book
  }

  get account(): Account {
    return this.#account
  }

  get waiting(): number {
    return this.#queue.length + Number(this.#busy)
  }

  /** For how long commits have failed, ms; 0 while they succeed. */
  get failingMs(): number {
    return this.#failingSince === null ? 0 : performance.now() - this.#failingSince
  }

  /** For how long the event in hand has been in hand, ms. */
  get stuckMs(): number {
    return this.#busy ? performance.now() - this.#since : 0
  }

  post(event: OutsideEvent): void {
    // Only the last price matters: one waiting event per stock reads it when its turn comes.
    if (event.kind === 'price') {
      if (this.#queuedPrices.has(event.code)) return
      this.#queuedPrices.add(event.code)
    }
    // However long it takes to come to it, one tells that time has passed.
    if (event.kind === 'timer') {
      if (this.#timerQueued) return
      this.#timerQueued = true
    }
    this.#queue.push(event)
    this.#start()
  }

  /** Resolves when the command is decided and durable; the answer names the orders it made. */
  ask(command: AccountCommand): Promise<Extract<Answer, { ok: true }>> {
    const ticket = this.#nextTicket++
    if (command.kind === 'setStop') this.#hasty.push(command)
    return new Promise((done, failed) => {
      this.#tickets.set(ticket, { done, failed })
      this.#queue.push({ kind: 'command', ticket, command })
      this.#start()
    })
  }

  /** Last look before bytes leave: the words why this order must not go any more, or null. */
  refuseNow(order: Order, serverStop: Stop): string | null {
    const { book } = this.#account
    let stop = effectiveStop(serverStop, book.stop, book.stocks.get(order.code)?.stop ?? 'active')
    for (const hasty of this.#hasty) {
      if (hasty.level === 'user' || hasty.code === order.code) stop = effectiveStop(stop, hasty.stop, 'active')
    }
    if (stop === 'halt') return '보내기 직전에 모든 주문이 멈췄습니다.'
    if (stop === 'reduce' && order.side === 'buy') return '보내기 직전에 매수가 멈췄습니다.'
    if (this.#account.view.unwanted.has(order.id)) return '보내기 직전에 취소해 달라는 요청이 있었습니다.'
    // A call given up as lost must not leave after all: the list is being searched for it already.
    return book.orders.get(order.id)?.status === 'intended' ? null : '이미 끝났거나 기다리다 만 주문입니다.'
  }

  /** Resolves when nothing waits in the mailbox. */
  idle(): Promise<void> {
    return this.waiting === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #start(): void {
    if (!this.#busy) void this.#run()
  }

  async #run(): Promise<void> {
    this.#busy = true
    for (let event = this.#queue.shift(); event !== undefined; event = this.#queue.shift()) {
      this.#since = performance.now()
      if (event.kind === 'price') this.#queuedPrices.delete(event.code)
      if (event.kind === 'timer') this.#timerQueued = false
      if (!this.#stale || (await this.#readAgain(event))) await this.#handle(event)
    }
    this.#busy = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #handle(event: AccountEvent): Promise<void> {
    const before = this.#account.book
    let next: Step
    try {
      next = step(this.#account, event, this.#world.context())
    } catch (error) {
      // Nothing was changed; the event is at fault and would be again.
      this.#world.problem(error)
      return this.#fail(event)
    }
    try {
      await this.#commit(next)
    } catch (error) {
      this.#world.problem(error)
      return this.#startOver(event, error)
    }
    this.#account = next.account
    if (event.kind === 'command') this.#forgetHasty(event.command)
    for (const effect of next.effects) {
      if (effect.kind === 'answer') this.#answer(effect.ticket, effect.answer)
      else this.#world.perform(effect, this.#account.book)
    }
    if (next.facts.length > 0) this.#world.changed(before, this.#account.book, next.facts)
  }

  async #commit({ facts, account }: Step): Promise<void> {
    if (facts.length === 0) return
    await this.#world.committer.commit(changesOf(this.userId, this.#seq, facts, account.book))
    this.#seq += facts.length
    this.#failures = 0
    this.#failingSince = null
  }

  #forgetHasty(command: AccountCommand): void {
    if (command.kind === 'setStop') this.#hasty = this.#hasty.filter((hasty) => hasty !== command)
  }

  #answer(ticket: number, answer: Answer): void {
    const waiting = this.#tickets.get(ticket)
    this.#tickets.delete(ticket)
    if (answer.ok) waiting?.done(answer)
    else waiting?.failed(new Refused(answer.code, answer.text))
  }

  /**
   * The commit failed: what memory holds was never true. The durable state is read again before anything is decided, and
   * what happened meanwhile (replies, lists, notices) is looked at once more; only people's requests have ended.
   */
  #startOver(event: AccountEvent, error: unknown): void {
    this.#failTickets(event)
    this.#stale = true
    this.#failures += 1
    this.#failingSince ??= performance.now()
    // The account is told anew of both when it has been read.
    if (event.kind === 'command' || event.kind === 'restarted' || event.kind === 'authorised') return
    const tries = (this.#tries.get(event) ?? 0) + 1
    this.#tries.set(event, tries)
    // What the tables refuse for itself will be refused for ever: it must not stand before everything else.
    if (tries < MAX_TRIES || !isRefusal(error)) this.#putFirst(event)
  }

  #putFirst(...events: AccountEvent[]): void {
    for (const event of events) {
      if (event.kind === 'price') this.#queuedPrices.add(event.code)
      if (event.kind === 'timer') this.#timerQueued = true
    }
    this.#queue.unshift(...events)
  }

  /** Whoever was told that it failed must not see it done later. */
  #failTickets(event: AccountEvent): void {
    const failed = new Refused('INTERNAL', '저장하지 못했습니다. 잠시 뒤 다시 해 주세요.')
    for (const ticket of this.#tickets.values()) ticket.failed(failed)
    this.#tickets.clear()
    for (const one of [event, ...this.#queue]) if (one.kind === 'command') this.#forgetHasty(one.command)
    this.#queue = this.#queue.filter((one) => one.kind !== 'command')
  }

  #fail(event: AccountEvent): void {
    if (event.kind !== 'command') return
    this.#forgetHasty(event.command)
    this.#tickets.get(event.ticket)?.failed(new Refused('INTERNAL', '처리하지 못했습니다. 관리자에게 알려 주세요.'))
    this.#tickets.delete(event.ticket)
  }

  /**
   * Waits, ever longer, and reads the account again. The event in hand comes after what a start begins with, also when
   * the reading failed: always false, for it is not its turn yet.
   */
  async #readAgain(event: AccountEvent): Promise<false> {
    await delay(Math.min(RETRY_MS * 2 ** this.#failures, RETRY_MAX_MS), undefined, { ref: false })
    try {
      const loaded = await this.#world.reload()
      this.#account = newAccount(loaded.book)
      this.#seq = loaded.seq
      this.#stale = false
      // The permission is the broker's, not the view's: the view that is thrown away may never have heard of it.
      const authorised = { kind: 'authorised', authorised: this.#world.authorised() } as const
      this.#putFirst({ kind: 'restarted', lateMs: OWN_LATE_MS }, authorised, event)
    } catch (error) {
      this.#world.problem(error)
      this.#failures += 1
      this.#failTickets(event)
      if (event.kind !== 'command') this.#putFirst(event)
    }
    return false
  }
}

/** The tables were reached and said no to these very rows (classes 22 and 23 of SQLSTATE). */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
