import type { AccountEvent, AccountCommand, CommandResult, Context, Fact } from '@digger/core'
import { withTrade, type FillRule, type Trade, type Traded } from './fills.ts'
import type { LoadedShadow } from './journal.ts'
import { rehearse, rehearsePrice, type Rehearsed } from './rehearse.ts'
import { cashLeft, evolveState, type ShadowState } from './state.ts'

export interface ShadowParts {
  readonly rule: FillRule
  contextOf(state: ShadowState): Context
  /** Durable when it resolves. */
  commit(seq: number, facts: readonly Fact[]): Promise<void>
  cash(code: string): Promise<{ readonly amount: number; readonly askedAt: number }>
  /** What memory holds is not what is durable: it is to be read again. */
  failed(error: unknown): void
}

type Job = (state: ShadowState, ctx: Context) => Rehearsed

/** The mailbox of one rehearsal: one thing at a time, and nothing is shown before it is durable. */
export class ShadowAccount {
  readonly #parts: ShadowParts
  #state: ShadowState
  #seq: number
  readonly #queue: Job[] = []
  /** Stocks whose price is to be looked at, and what was traded of them; null: nothing. */
  readonly #traded = new Map<string, Traded | null>()
  readonly #waiting = new Map<number, { done: (result: CommandResult) => void; failed: (error: unknown) => void }>()
  #tickets = 0
  #timerWaits = false
  #isBusy = false
  /** By what it has ended; null: it goes on. */
  #ended: { readonly by: unknown } | null = null
  #questions = 0

  constructor(loaded: LoadedShadow, parts: ShadowParts) {
    this.#parts = parts
    this.#state = loaded.state
    this.#seq = loaded.seq
    // Nothing of a rehearsal is ever on its way.
    this.post({ kind: 'restarted', lateMs: 0 })
  }

  /** Always durable. */
  get state(): ShadowState {
    return this.#state
  }

  /** What waits or is in hand. */
  get waiting(): number {
    return this.#queue.length + Number(this.#isBusy)
  }

  get busy(): boolean {
    return this.waiting + this.#questions > 0
  }

  get ended(): boolean {
    return this.#ended !== null
  }

  post(event: AccountEvent): void {
    this.#take((state, ctx) => rehearse(state, event, ctx))
  }

  timer(): void {
    if (this.#timerWaits) return
    this.#timerWaits = true
    this.#take((state, ctx) => {
      this.#timerWaits = false
      return rehearse(state, { kind: 'timer' }, ctx)
    })
  }

  /** Facts that no rule decides: `make` reads the book as it is then. */
  add(make: (state: ShadowState, now: number) => readonly Fact[]): void {
    this.#take((state, { now }) => {
      const facts = make(state, now)
      const next = facts.reduce(evolveState, state)
      return { state: next, facts, results: new Map(), cashAsked: null }
    })
  }

  /** `trade`: null where a price was only read. While others wait, trades of a stock are looked at together, by the lowest and the highest. */
  priceChanged(code: string, trade: Trade | null): void {
    const isKnown = this.#traded.has(code)
    const before = this.#traded.get(code) ?? null
    this.#traded.set(code, trade === null ? before : withTrade(before, trade))
    if (isKnown) return
    this.#take((state, ctx) => {
      const traded = this.#traded.get(code) ?? null
      this.#traded.delete(code)
      if (traded === null) return rehearse(state, { kind: 'price', code }, ctx)
      return rehearsePrice(state, code, { traded, rule: this.#parts.rule }, ctx)
    })
  }

  /** Resolves when the command is decided and durable; rejects with what has ended the rehearsal. */
  ask(command: AccountCommand): Promise<CommandResult> {
    if (this.#ended !== null) return Promise.reject(this.#ended.by)
    this.#tickets += 1
    const ticket = this.#tickets
    return new Promise((done, failed) => {
      this.#waiting.set(ticket, { done, failed })
      this.post({ kind: 'command', ticket, command })
    })
  }

  /** For good. */
  end(error: unknown): void {
    this.#ended ??= { by: error }
    this.#queue.length = 0
    for (const { failed } of this.#waiting.values()) failed(error)
    this.#waiting.clear()
  }

  #take(job: Job): void {
    if (this.ended) return
    this.#queue.push(job)
    if (!this.#isBusy) void this.#run()
  }

  async #run(): Promise<void> {
    this.#isBusy = true
    try {
      for (let job = this.#queue.shift(); job !== undefined && !this.ended; job = this.#queue.shift()) {
        const { state, facts, results, cashAsked } = job(this.#state, this.#parts.contextOf(this.#state))
        if (facts.length > 0) await this.#parts.commit(this.#seq, facts)
        if (this.ended) return
        this.#state = state
        this.#seq += facts.length
        for (const [ticket, result] of results) this.#answer(ticket, result)
        if (cashAsked !== null) void this.#askCash(cashAsked)
      }
    } catch (error) {
      this.end(error)
      this.#parts.failed(error)
    } finally {
      this.#isBusy = false
    }
  }

  #answer(ticket: number, result: CommandResult): void {
    this.#waiting.get(ticket)?.done(result)
    this.#waiting.delete(ticket)
  }

  /** The answer is the real account's; what the rehearsal has spent is taken off it. */
  async #askCash(code: string): Promise<void> {
    this.#questions += 1
    try {
      const { amount, askedAt } = await this.#parts.cash(code)
      this.post({ kind: 'cash', amount: cashLeft(this.#state, amount, askedAt), askedAt })
    } catch (error) {
      this.post({ kind: 'cashFailed', text: error instanceof Error ? error.message : String(error) })
    } finally {
      this.#questions -= 1
    }
  }
}
