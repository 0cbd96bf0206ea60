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
  type Stop,
} from '@digger/core'
import type { Committer } from './committer.ts'
import type { Loaded } from './load.ts'
import { Refused } from './port.ts'
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
  readonly problem: (error: unknown) => void
}

/** After a refused commit the account is read again this much later, ms; doubled while they are refused. */
const RETRY_MS = 100
const RETRY_MAX_MS = 5_000

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
  /** Stops that were asked for and are not durable yet: they hold at once. */
  #hasty: { level: 'user' | 'stock'; code: string | null; stop: Stop }[] = []
  readonly #idle: (() => void)[] = []

  constructor(userId: string, loaded: Loaded, world: RunnerWorld) {
    this.userId = userId
    this.#world = world
    this.#account = newAccount(loaded.book)
    this.#seq = loaded.seq
    this.post({ kind: 'restarted' })
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

  post(event: OutsideEvent): void {
    // Only the last price matters: one waiting event per stock reads it when its turn comes.
    if (event.kind === 'price') {
      if (this.#queuedPrices.has(event.code)) return
      this.#queuedPrices.add(event.code)
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
      if (event.kind === 'price') this.#queuedPrices.delete(event.code)
      try {
        if (this.#stale) {
          await delay(Math.min(RETRY_MS * 2 ** this.#failures, RETRY_MAX_MS), undefined, { ref: false })
          await this.#readAgain()
          this.#queue.push(event)
        } else await this.#handle(event)
      } catch (error) {
        this.#world.problem(error)
        this.#startOver(event)
      }
    }
    this.#busy = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  async #handle(event: AccountEvent): Promise<void> {
    const before = this.#account.book
    const next = step(this.#account, event, this.#world.context())
    if (next.facts.length > 0) {
      await this.#world.committer.commit(changesOf(this.userId, this.#seq, next.facts, next.account.book))
      this.#seq += next.facts.length
      this.#failures = 0
    }
    this.#account = next.account
    if (event.kind === 'command') this.#forgetHasty(event.command)
    for (const effect of next.effects) {
      if (effect.kind === 'answer') this.#answer(effect.ticket, effect.answer)
      else this.#world.perform(effect, this.#account.book)
    }
    if (next.facts.length > 0) this.#world.changed(before, this.#account.book, next.facts)
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

  /** The commit failed: what memory holds was never true. The durable state is read again before anything is decided. */
  #startOver(event: AccountEvent): void {
    const failed = new Refused('INTERNAL', '저장하지 못했습니다. 잠시 뒤 다시 해 주세요.')
    for (const ticket of this.#tickets.values()) ticket.failed(failed)
    this.#tickets.clear()
    // Whoever was told that it failed must not see it done later.
    for (const one of [event, ...this.#queue]) if (one.kind === 'command') this.#forgetHasty(one.command)
    this.#queue = this.#queue.filter((one) => one.kind !== 'command')
    this.#stale = true
    this.#failures += 1
  }

  async #readAgain(): Promise<void> {
    const loaded = await this.#world.reload()
    const { authorised } = this.#account.view
    this.#account = newAccount(loaded.book)
    this.#seq = loaded.seq
    this.#stale = false
    this.#queue.unshift({ kind: 'restarted' }, { kind: 'authorised', authorised })
  }
}
