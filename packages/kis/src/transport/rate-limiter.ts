import type { Priority, PriorityFigures, QueueFigures } from '../api.ts'
import { NotSentError } from '../errors.ts'
import { CallSpacing } from './call-spacing.ts'
import type { RateLimits } from './limits.ts'

/** The time that calls are spaced by; it goes on evenly. */
export interface SpacingClock {
  now(): number
  /** Runs once after `ms`. Returns the way to call it off. */
  after(ms: number, run: () => void): () => void
}

const EVEN: SpacingClock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

/** The right to make one call. */
export interface Slot {
  /** Waits at least `delayMs` for the slot of a retry; no later call of the same priority starts meanwhile. */
  retryAfter(delayMs: number): Promise<void>
  release(): void
}

/** Lists report fills, so they go before the other ledger queries (buyable, profit, …). */
export type QueryKind = 'list' | 'balance' | 'question'

interface SlotRequest {
  readonly priority: Priority
  /** Default: question. */
  readonly kind?: QueryKind
  /** By this limiter's time; after it the call is not worth sending. Default never. */
  readonly deadline?: number
  /** It takes no slot from others of its priority; there is one at a time. */
  readonly isBackground?: boolean
  /** False: nothing waits for it, so that it never goes before a higher priority, nor counts as kept waiting. Default: true. */
  readonly isAwaited?: boolean
}

/** What is counted together as in flight. */
type Lane = Priority | 'background'
const laneOf = ({ priority, isBackground }: Pick<Waiter, 'priority' | 'isBackground'>): Lane =>
  isBackground ? 'background' : priority

interface Waiter {
  readonly priority: Priority
  readonly kind: QueryKind
  readonly isBackground: boolean
  readonly isAwaited: boolean
  readonly deadline: number
  /** A retry: it counts as in flight already. */
  readonly isRetry: boolean
  readonly since: number
  readonly notBefore: number
  readonly grant: () => void
  readonly reject: (error: Error) => void
}

const PRIORITIES = ['order', 'ledger', 'quote'] as const

/**
 * A ledger query that has waited this long goes before orders, ms. At three calls a second orders alone would keep the lists
 * out, and with them the fills; the ledger itself takes no more than one a second.
 */
const LEDGER_MAX_WAIT_MS = 800

/** A quote that has waited this long goes before orders, one in this time, ms. It is worth far less than a list, but not nothing. */
const QUOTE_MAX_WAIT_MS = 10_000

/** A question that has waited this long lets no further list pass, ms: lists without end would keep it out for ever. */
const QUESTION_MAX_WAIT_MS = 2_500

/**
 * The one queue of an app key: evenly spaced, orders first, orders and ledger queries one at a time. Orders go in the
 * order requested, ledger queries too, lists before questions.
 */
export class RateLimiter {
  readonly #limits: RateLimits
  readonly #clock: SpacingClock
  readonly #waiting: Record<Priority, Waiter[]> = { order: [], ledger: [], quote: [] }
  readonly #inFlight: Record<Lane, number> = { order: 0, ledger: 0, quote: 0, background: 0 }
  readonly #peaks: Record<Priority, number> = { order: 0, ledger: 0, quote: 0 }
  readonly #spacing: CallSpacing
  #nextStart = Number.NEGATIVE_INFINITY
  #nextOrder = Number.NEGATIVE_INFINITY
  #nextLedger = Number.NEGATIVE_INFINITY
  #nextBalance = Number.NEGATIVE_INFINITY
  #lastQuote = Number.NEGATIVE_INFINITY
  /** A query has gone before the orders that wait; the next one only after an order. */
  #ordersPassed = false
  #callOff = (): void => undefined
  #closed = false

  constructor(limits: RateLimits, clock = EVEN) {
    this.#limits = limits
    this.#clock = clock
    this.#spacing = new CallSpacing(limits.spacingMs)
  }

  /** Rejects with `NotSentError` when the queue is full, when the limiter is closed, or when the deadline passes first. */
  async acquire(request: SlotRequest): Promise<Slot> {
    const { priority, kind = 'question', deadline = Number.POSITIVE_INFINITY } = request
    const { isBackground = false, isAwaited = true } = request
    const common = { priority, kind, deadline, isBackground, isAwaited }
    // Questions, however many, keep no list out.
    const rivals = this.#waiting[priority].filter((other) => kind === 'question' || other.kind !== 'question')
    if (rivals.length >= this.#limits.maxQueued[priority]) {
      throw new NotSentError('증권사로 보낼 요청이 너무 많이 밀려 있습니다. 잠시 후 다시 시도하세요.')
    }
    await this.#wait({ ...common, isRetry: false, notBefore: 0 })
    let released = false
    return {
      retryAfter: async (delayMs) => {
        this.#onReply(priority, kind)
        await this.#wait({ ...common, isRetry: true, notBefore: this.#clock.now() + delayMs })
      },
      release: () => {
        if (released) return
        released = true
        this.#inFlight[laneOf(common)] -= 1
        this.#onReply(priority, kind)
        this.#pump()
      },
    }
  }

  /** What deadlines are counted by. */
  now(): number {
    return this.#clock.now()
  }

  /** How many calls wait; the peak is that since the last call of this method. */
  figures(): QueueFigures {
    const now = this.#clock.now()
    const of = (priority: Priority): PriorityFigures => {
      const waiting = this.#waiting[priority].length
      const peak = Math.max(this.#peaks[priority], waiting)
      this.#peaks[priority] = waiting
      const awaited = this.#waiting[priority].filter(({ isAwaited }) => isAwaited)
      return { waiting, peak, oldestMs: Math.max(0, ...awaited.map(({ since }) => now - since)) }
    }
    return { order: of('order'), ledger: of('ledger'), quote: of('quote') }
  }

  /** No call starts for so long, ms: the broker may still count those of somebody who had the key before. */
  hold(ms: number): void {
    this.#nextStart = Math.max(this.#nextStart, this.#clock.now() + ms)
  }

  /** After EGW00201 no call of the key starts for a moment, and calls are spaced wider when that does not help. */
  holdAll(): void {
    this.#spacing.onRefusal(this.#clock.now())
    this.hold(this.#limits.holdMs)
  }

  /** After EGW00215 no ledger query starts for a moment. */
  holdLedger(): void {
    this.#nextLedger = Math.max(this.#nextLedger, this.#clock.now() + this.#limits.ledgerHoldMs)
  }

  /** Rejects the calls that wait; those on the wire go on. */
  close(): void {
    this.#closed = true
    this.#callOff()
    for (const priority of PRIORITIES) {
      for (const waiter of this.#waiting[priority].splice(0)) waiter.reject(closedError())
    }
  }

  #wait(request: Omit<Waiter, 'grant' | 'reject' | 'since'>): Promise<void> {
    if (this.#closed) return Promise.reject(closedError())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiter: Waiter = { ...request, since: this.#clock.now(), grant: resolve, reject }
    const queue = this.#waiting[request.priority]
    queue.splice(insertionIndex(waiter, queue), 0, waiter)
    this.#pump()
    this.#peaks[request.priority] = Math.max(this.#peaks[request.priority], queue.length)
    return promise
  }

  #onReply(priority: Priority, kind: QueryKind): void {
    if (priority !== 'ledger') return
    const now = this.#clock.now()
    this.#nextLedger = Math.max(this.#nextLedger, now + this.#limits.ledgerSpacingMs)
    if (kind === 'balance') this.#nextBalance = Math.max(this.#nextBalance, now + this.#limits.balanceSpacingMs)
  }

  /** When this waiter may start; Infinity while a call in flight must end first. */
  #earliestStart(waiter: Waiter): number {
    const { priority, kind, isRetry, notBefore } = waiter
    const lane = laneOf(waiter)
    const maxInFlight = lane === 'quote' ? this.#limits.maxQuotesInFlight : 1
    if (!isRetry && this.#inFlight[lane] >= maxInFlight) return Number.POSITIVE_INFINITY
    const own = { order: this.#nextOrder, ledger: this.#nextLedger, quote: 0 }[priority]
    return Math.max(this.#nextStart, notBefore, own, kind === 'balance' ? this.#nextBalance : 0)
  }

  /** Rejects the waiters whose deadline has passed and returns the next deadline. */
  #expire(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const priority of PRIORITIES) {
      const queue = this.#waiting[priority]
      for (const waiter of queue.filter(({ deadline }) => deadline <= now)) {
        queue.splice(queue.indexOf(waiter), 1)
        waiter.reject(new NotSentError('차례를 기다리는 동안 시간이 지나 증권사에 묻지 않았습니다.'))
      }
      for (const { deadline } of queue) next = Math.min(next, deadline)
    }
    return next
  }

  #pump(): void {
    this.#callOff()
    for (;;) {
      const now = this.#clock.now()
      const expiry = this.#expire(now)
      const [waiter, at] = this.#pick(now)
      if (waiter !== null && at <= now) {
        this.#start(waiter, now)
        continue
      }
      const next = Math.min(at, expiry)
      // Never below 1 ms: timers may fire a fraction early and would spin.
      if (next !== Number.POSITIVE_INFINITY) {
        this.#callOff = this.#clock.after(Math.max(1, Math.ceil(next - now)), () => this.#pump())
      }
      return
    }
  }

  /** The query that has waited too long to let orders go first. On paper a list after the other would take every slot. */
  #overdue(now: number): Waiter | undefined {
    if (this.#ordersPassed && this.#waiting.order.length > 0) return undefined
    const find = (queue: readonly Waiter[], maxWaitMs: number): Waiter | undefined =>
      queue.find((one) => one.isAwaited && now - one.since > maxWaitMs && this.#earliestStart(one) <= now)
    const isQuoteDue = now - this.#lastQuote > QUOTE_MAX_WAIT_MS
    const quote = isQuoteDue ? find(this.#waiting.quote, QUOTE_MAX_WAIT_MS) : undefined
    return quote ?? find(this.#waiting.ledger, LEDGER_MAX_WAIT_MS)
  }

  /** The waiter to start next and when: of the highest priority that may start now, else the soonest of all. */
  #pick(now: number): [Waiter | null, number] {
    const overdue = this.#overdue(now)
    if (overdue !== undefined) return [overdue, now]
    let soonest: [Waiter | null, number] = [null, Number.POSITIVE_INFINITY]
    for (const priority of PRIORITIES) {
      // Orders keep their order, so only the first one counts; a balance that must wait lets other queries pass.
      const queue = priority === 'order' ? this.#waiting.order.slice(0, 1) : this.#waiting[priority]
      for (const waiter of queue) {
        const at = this.#earliestStart(waiter)
        if (at <= now) return [waiter, at]
        if (at < soonest[1]) soonest = [waiter, at]
      }
      // An order about to start keeps the slot free: a query now would push it back by a whole spacing.
      if (priority === 'order' && soonest[1] < now + this.#spacing.current(now)) return soonest
    }
    return soonest
  }

  #start(waiter: Waiter, now: number): void {
    const queue = this.#waiting[waiter.priority]
    queue.splice(queue.indexOf(waiter), 1)
    if (!waiter.isRetry) this.#inFlight[laneOf(waiter)] += 1
    this.#nextStart = now + this.#spacing.current(now)
    if (waiter.priority === 'order') this.#nextOrder = now + this.#limits.orderSpacingMs
    if (waiter.priority === 'quote') this.#lastQuote = now
    this.#ordersPassed = waiter.priority !== 'order' && this.#waiting.order.length > 0
    waiter.grant()
  }
}

/** A retry goes first; a list goes before the questions that wait, never before a retry. */
function insertionIndex({ isRetry, kind, since: now }: Waiter, queue: readonly Waiter[]): number {
  if (isRetry) return 0
  if (kind === 'question') return queue.length
  const isYoung = ({ since }: Waiter): boolean => now - since < QUESTION_MAX_WAIT_MS
  const question = queue.findIndex((other) => !other.isRetry && other.kind === 'question' && isYoung(other))
  return question === -1 ? queue.length : question
}

const closedError = (): NotSentError => new NotSentError('증권사 연결이 닫혀 요청을 보내지 않았습니다.')
