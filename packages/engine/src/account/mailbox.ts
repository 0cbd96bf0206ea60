import { setTimeout as delay } from 'node:timers/promises'
import { accountReadAgain, EventQueue, inputText, newAccount, recording, step } from '@digger/core'
import type { Account, AccountCommand, AccountEvent, Book, Fact, Recording, Step, Stop } from '@digger/core'
import type { PriceWaiter } from '@digger/prices'
import { changesOf, FencedError, type Loaded } from '@digger/storage'
import { CommitFailures, isPostedAnew } from './commit-failures.ts'
import { NO_BROKER, RunningEffects, type Effects, type OutsideEffect, type OutsideEvent } from './effects.ts'
import { OWN_LATE_MS, type MailboxParts } from './mailbox-parts.ts'
import type { Named } from './command-keys.ts'
import { PendingCommands, type Done } from './pending-commands.ts'
import { publish } from './publish.ts'

/**
 * The mailbox of one account: strictly one event at a time, and no effect before its facts are durable.
 * `book` is what readers see: always a durable state.
 */
export class AccountMailbox implements PriceWaiter {
  readonly userId: string
  readonly #parts: MailboxParts
  #effects: Effects = NO_BROKER
  readonly running = new RunningEffects()
  #account: Account
  #seq: number
  /** Of the owner this process is. */
  readonly #epoch: number
  /** Newest journal row when the account was last read from the tables. */
  #loaded: number
  readonly #queue = new EventQueue()
  readonly #commands: PendingCommands
  #busy = false
  #stale = false
  /** Whether the account goes on in another process, if at all. */
  ended = false
  #inDoubt: Book | null = null
  #inheritanceTaken = false
  readonly #failures = new CommitFailures()
  /** How many events of a kind could not be decided since the last one that could. */
  readonly #undecided = new Map<AccountEvent['kind'], number>()
  /** When the event in hand was taken, by the process' even clock, ms. */
  #since = 0
  readonly #idle: (() => void)[] = []

  constructor(userId: string, loaded: Loaded, parts: MailboxParts) {
    this.userId = userId
    this.#parts = parts
    this.#account = newAccount(loaded.book)
    this.#seq = loaded.seq
    this.#epoch = loaded.epoch
    this.#loaded = loaded.seq
    this.#commands = new PendingCommands(loaded)
    this.post({ kind: 'restarted', lateMs: parts.inheritedMs })
  }

  get book(): Book {
    return this.#account.book
  }

  get account(): Account {
    return this.#account
  }

  /** What the tables may hold instead of `book`: a commit is under way, or its answer was lost. */
  get inDoubt(): Book | null {
    return this.#inDoubt
  }

  /** Events that wait or are in hand. */
  get waiting(): number {
    return this.#queue.length + Number(this.#busy)
  }

  /** Whether an event waits or an effect is under way. */
  get active(): boolean {
    return this.waiting > 0 || this.running.orders + this.running.questions > 0
  }

  /** For good, from this very turn on: nothing more is decided or committed here, and no order leaves. */
  end(): void {
    this.ended = true
    this.#effects = NO_BROKER
    this.#queue.clear()
    this.#commands.handedOver()
  }

  /** From now on effects run on this broker, or on none. */
  attach(effects: Effects = NO_BROKER): void {
    this.#effects = this.ended ? NO_BROKER : effects
  }

  /** For how long commits have failed, ms; 0 while they succeed. */
  get failingMs(): number {
    return this.#failures.ms
  }

  /** Events that could not be decided since the last good one of their kind: nothing came of them. */
  get undecided(): number {
    return [...this.#undecided.values()].reduce((sum, count) => sum + count, 0)
  }

  /** For how long the event in hand has been in hand, ms. */
  get stuckMs(): number {
    return this.#busy ? performance.now() - this.#since : 0
  }

  /** A price changed that the account waits for; it reads the last one when its turn comes. Not armed it buys at the timer at the soonest. */
  wake(code: string): void {
    // What is in hand may arm it.
    if (this.#busy || this.#account.view.connection.armed) this.post({ kind: 'price', code })
  }

  post(event: OutsideEvent): void {
    this.#take(event)
  }

  /** What was asked under a key. */
  get commands(): Pick<PendingCommands, 'hasDone' | 'hasAnswer' | 'known'> {
    return this.#commands
  }

  /** Resolves when the command is decided and durable, or was before; the answer names the orders it made. */
  ask(command: AccountCommand, named?: Named): Promise<Done> {
    if (named !== undefined && this.#commands.hasAnswer(named)) return this.#commands.known(named)
    const { event, answer } = this.#commands.add(command, named)
    this.#take(event)
    return answer
  }

  /** The strictest stop of the account or the stock that was asked for and is not durable yet: it holds at once. */
  pendingStop(code: string): Stop {
    return this.#commands.stopOf(code)
  }

  /** Resolves when nothing waits in the mailbox. */
  idle(): Promise<void> {
    return this.waiting === 0 ? Promise.resolve() : new Promise((resolve) => this.#idle.push(resolve))
  }

  #take(event: AccountEvent): void {
    if (this.ended) return this.#commands.handedOver()
    this.#queue.push(event)
    if (!this.#busy) void this.#run()
  }

  /** Decide, make durable, act: one event after the other. */
  async #run(): Promise<void> {
    this.#busy = true
    for (let event = this.#queue.take(); event !== undefined && !this.ended; event = this.#queue.take()) {
      this.#since = performance.now()
      if (this.#stale) {
        await this.#readAgain(event)
        continue
      }
      if (event.kind === 'command' && this.#commands.answerUndecided(event, this.book)) continue
      const before = this.#account
      let next: Step
      let recorded: Recording
      try {
        recorded = recording(this.#parts.conditions.context(this.#account))
        next = step(this.#account, event, recorded.context)
      } catch (error) {
        // Nothing was changed; the event is at fault and would be again.
        this.#fail(event, error)
        this.#failures.taken(event, false)
        continue
      }
      try {
        await this.#commit(next, event, recorded)
      } catch (error) {
        this.#startOver(event, error)
        continue
      }
      this.#account = next.account
      this.#inDoubt = null
      this.#undecided.delete(event.kind)
      // What a restart in a time that nobody knows leaves to be decided is in the view.
      if (this.#account.view.connection.inheritedMs === null) this.#inheritanceTaken = true
      this.#failures.taken(event, next.facts.length > 0)
      if (event.kind === 'command') this.#commands.durable(event.ticket)
      for (const effect of next.effects) {
        if (effect.kind === 'commandResult') this.#commands.answer(effect.ticket, effect.result)
        else void this.#carryOut(effect)
      }
      this.#publish(before, next.facts)
    }
    this.#busy = false
    for (const resolve of this.#idle.splice(0)) resolve()
  }

  /** What comes of an effect is an event like any other. */
  async #carryOut(effect: OutsideEffect): Promise<void> {
    const event = await this.running.run(this.#effects, effect, this.book)
    if (event !== null) this.post(event)
    if (event?.kind !== 'snapshot' || event.snapshot.balance === null) return
    const { balance, moved = [] } = event.snapshot
    // Money of before a fill and the lots of after it would add up to a sum that never was.
    if (moved.length > 0) return
    // The lots of the same moment are in the book once the mailbox has worked through it.
    await this.idle()
    for (const observer of this.#parts.observers) observer.balanceRead?.(this.userId, balance.depositAmount)
  }

  #publish(before: Account, facts: readonly Fact[]): void {
    publish(this.#parts.observers, { userId: this.userId, before, after: this.#account, facts })
  }

  /** Beside the facts goes what they were decided with, so that the decision can be run again. */
  async #commit(step: Step, event: AccountEvent, { context, quotes }: Recording): Promise<void> {
    const { facts, account } = step
    if (facts.length === 0) return
    this.#inDoubt = account.book
    const input = inputText(this.#account, event, context, quotes, this.#loaded)
    const position = { seq: this.#seq, epoch: this.#epoch }
    const changes = changesOf(this.userId, position, facts, account.book, input)
    const named = this.#commands.named(changes, this.#account, step)
    await this.#parts.committer.commit(named)
    this.#commands.written(named)
    this.#seq += facts.length
  }

  /**
   * The commit failed: what memory holds was never true. The durable state is read again before anything is decided, and
   * what happened meanwhile (replies, lists, notices) is looked at once more; only people's requests have ended.
   */
  #startOver(event: AccountEvent, error: unknown): void {
    this.#parts.problem(this.userId, error)
    if (error instanceof FencedError) return this.#fenced()
    if (event.kind === 'command') this.#commands.commitFailed(event.ticket, error)
    this.#failRequests(error)
    this.#stale = true
    this.#failures.failed()
    if (event.kind === 'command' || isPostedAnew(event)) return
    if (this.#failures.mayTryAgain(event, error)) this.#queue.putFirst(event)
  }

  /**
   * Those that wait, in the queue, for a cancel or for room: whoever gets a failure must not see it done later. No order of
   * theirs leaves any more, even if it was written and only the answer was lost.
   */
  #failRequests(cause: unknown): void {
    for (const { ticket } of this.#queue.dropCommands()) this.#commands.notSaved(ticket, cause)
    for (const { ticket } of this.#account.view.orders.pendingSales) this.#commands.notSold(ticket)
  }

  #fail(event: AccountEvent, error: unknown): void {
    this.#parts.problem(this.userId, error)
    // What a person asked does not come again by itself, and the person is answered.
    if (event.kind === 'command') this.#commands.undecided(event.ticket)
    else this.#undecided.set(event.kind, (this.#undecided.get(event.kind) ?? 0) + 1)
  }

  /**
   * Waits, ever longer, and reads the account again. The event in hand comes after what a start begins with, also when
   * the reading failed: it is not its turn yet.
   */
  async #readAgain(event: AccountEvent): Promise<void> {
    await delay(this.#failures.retryMs, undefined, { ref: false })
    try {
      const before = this.#account
      const loaded = await this.#parts.reader.reload(this.userId, this.#seq)
      this.#account = accountReadAgain(before, loaded.book)
      this.#inDoubt = null
      this.#seq = loaded.seq
      this.#loaded = loaded.seq
      this.#stale = false
      this.#commands.readAgain(loaded)
      this.#publish(before, loaded.missed)
      this.#begin(event)
    } catch (error) {
      this.#parts.problem(this.userId, error)
      if (error instanceof FencedError) return this.#fenced()
      this.#failures.failed()
      this.#failRequests(error)
      if (event.kind === 'command') this.#commands.notSaved(event.ticket, error)
      else this.#queue.putFirst(event)
    }
  }

  #fenced(): void {
    // One that has ended learns it late: by now the account may be this process' again, in another mailbox.
    if (this.ended) return
    this.end()
    this.#parts.fenced(this.userId)
  }

  /** What comes first in an account that was read again, perhaps before it was written what became of the owner's before. */
  #begin(event: AccountEvent): void {
    // The permission is the broker's, not the view's: the view that is thrown away may never have known it.
    const authorised = { kind: 'authorised', authorised: this.#effects.authorised } as const
    const lateMs = this.#inheritanceTaken ? OWN_LATE_MS : this.#parts.inheritedMs
    const restarted = { kind: 'restarted', lateMs } as const
    const first = isPostedAnew(event) ? [restarted, authorised] : [restarted, authorised, event]
    this.#queue.putFirst(...first)
    this.#failures.readAgain(first.at(-1) ?? event)
  }
}
