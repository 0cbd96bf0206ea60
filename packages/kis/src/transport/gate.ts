import type { Lane, LaneFigures, QueueFigures } from '../api.ts'
import { NotSentError } from '../errors.ts'
import type { RateLimits } from './limits.ts'
import { Pace } from './pace.ts'

/** The right to make one call; `again` waits for another slot without giving up the place in the lane. */
export interface Pass {
  again(delayMs: number): Promise<void>
  leave(): void
}

/** What is asked of the ledger: lists tell of fills and go before questions (buyable, profit, …). */
export type Asked = 'list' | 'balance' | 'question'

export interface Entrance {
  readonly lane: Lane
  /** Default: question. */
  readonly asked?: Asked
  /** `performance.now()` after which the call is not worth sending; default never. */
  readonly until?: number
}

interface Waiter {
  readonly lane: Lane
  readonly asked: Asked
  readonly until: number
  /** Owns its lane already: a retry, not a new call. */
  readonly held: boolean
  readonly since: number
  readonly notBefore: number
  readonly grant: () => void
  readonly reject: (error: Error) => void
}

const LANES = ['order', 'ledger', 'quote'] as const

/**
 * The one queue of an app key: evenly spaced, orders first, orders and ledger queries one at a time. Orders go in the
 * order asked, ledger queries too, lists before questions.
 */
export class Gate {
  readonly #limits: RateLimits
  readonly #waiting: Record<Lane, Waiter[]> = { order: [], ledger: [], quote: [] }
  readonly #inFlight: Record<Lane, number> = { order: 0, ledger: 0, quote: 0 }
  readonly #peaks: Record<Lane, number> = { order: 0, ledger: 0, quote: 0 }
  readonly #pace: Pace
  #nextStart = Number.NEGATIVE_INFINITY
  #nextOrder = Number.NEGATIVE_INFINITY
  #nextLedger = Number.NEGATIVE_INFINITY
  #nextBalance = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(limits: RateLimits) {
    this.#limits = limits
    this.#pace = new Pace(limits.spacingMs)
  }

  /** Rejects with `NotSentError` when the lane is full, when the gate is closed, or when `until` passes first. */
  async enter({ lane, asked = 'question', until = Number.POSITIVE_INFINITY }: Entrance): Promise<Pass> {
    // Questions, however many, keep no list out.
    const rivals = this.#waiting[lane].filter((other) => asked === 'question' || other.asked !== 'question')
    if (rivals.length >= this.#limits.queueMax[lane]) {
      throw new NotSentError('증권사로 보낼 요청이 너무 많이 밀려 있습니다. 잠시 후 다시 시도하세요.')
    }
    await this.#slot({ lane, asked, until, held: false, notBefore: 0 })
    let left = false
    return {
      again: async (delayMs) => {
        this.#answered(lane, asked)
        await this.#slot({ lane, asked, until, held: true, notBefore: performance.now() + delayMs })
      },
      leave: () => {
        if (left) return
        left = true
        this.#inFlight[lane] -= 1
        this.#answered(lane, asked)
        this.#pump()
      },
    }
  }

  /** What waits in each lane; the peak is that since the last time somebody asked. */
  figures(): QueueFigures {
    const now = performance.now()
    const of = (lane: Lane): LaneFigures => {
      const waiting = this.#waiting[lane].length
      const peak = Math.max(this.#peaks[lane], waiting)
      this.#peaks[lane] = waiting
      return { waiting, peak, oldestMs: Math.max(0, ...this.#waiting[lane].map(({ since }) => now - since)) }
    }
    return { order: of('order'), ledger: of('ledger'), quote: of('quote') }
  }

  /** After EGW00201: the whole key is silent for a moment, and slower when that does not help. */
  holdAll(): void {
    const now = performance.now()
    this.#pace.refused(now)
    this.#nextStart = Math.max(this.#nextStart, now + this.#limits.holdMs)
  }

  /** After EGW00215: the ledger is. */
  holdLedger(): void {
    this.#nextLedger = Math.max(this.#nextLedger, performance.now() + this.#limits.ledgerHoldMs)
  }

  /** What waits is told so; what is on the wire goes on. */
  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const lane of LANES) {
      for (const waiter of this.#waiting[lane].splice(0)) waiter.reject(closedError())
    }
  }

  #slot(waiter: Omit<Waiter, 'grant' | 'reject' | 'since'>): Promise<void> {
    if (this.#closed) return Promise.reject(closedError())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry: Waiter = { ...waiter, since: performance.now(), grant: resolve, reject }
    const queue = this.#waiting[waiter.lane]
    queue.splice(placeOf(entry, queue), 0, entry)
    this.#pump()
    this.#peaks[waiter.lane] = Math.max(this.#peaks[waiter.lane], queue.length)
    return promise
  }

  #answered(lane: Lane, asked: Asked): void {
    if (lane !== 'ledger') return
    const now = performance.now()
    this.#nextLedger = Math.max(this.#nextLedger, now + this.#limits.ledgerSpacingMs)
    if (asked === 'balance') this.#nextBalance = Math.max(this.#nextBalance, now + this.#limits.balanceSpacingMs)
  }

  /** When this waiter may start; Infinity while something must end first. */
  #earliest({ lane, asked, held, notBefore }: Waiter): number {
    const room = lane === 'quote' ? this.#limits.quotesAtOnce : 1
    if (!held && this.#inFlight[lane] >= room) return Number.POSITIVE_INFINITY
    const own = { order: this.#nextOrder, ledger: this.#nextLedger, quote: 0 }[lane]
    return Math.max(this.#nextStart, notBefore, own, asked === 'balance' ? this.#nextBalance : 0)
  }

  /** Those that are not worth sending any more are told so; when the next of them will be. */
  #expire(now: number): number {
    let next = Number.POSITIVE_INFINITY
    for (const lane of LANES) {
      const queue = this.#waiting[lane]
      for (const waiter of queue.filter(({ until }) => until <= now)) {
        queue.splice(queue.indexOf(waiter), 1)
        waiter.reject(new NotSentError('차례를 기다리는 동안 시간이 지나 증권사에 묻지 않았습니다.'))
      }
      for (const { until } of queue) next = Math.min(next, until)
    }
    return next
  }

  #pump(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (;;) {
      const now = performance.now()
      const expiry = this.#expire(now)
      const [waiter, at] = this.#pick(now)
      if (waiter !== null && at <= now) {
        this.#start(waiter, now)
        continue
      }
      const next = Math.min(at, expiry)
      // Never below 1 ms: timers may fire a fraction early and would spin.
      if (next !== Number.POSITIVE_INFINITY) {
        this.#timer = setTimeout(() => this.#pump(), Math.max(1, Math.ceil(next - now)))
      }
      return
    }
  }

  /** The waiter to start next and when; the first lane with one that may start now, else the soonest of all. */
  #pick(now: number): [Waiter | null, number] {
    const starved = this.#waiting.ledger.find(
      (one) => now - one.since > LEDGER_PATIENCE_MS && this.#earliest(one) <= now,
    )
    if (starved !== undefined) return [starved, now]
    let soonest: [Waiter | null, number] = [null, Number.POSITIVE_INFINITY]
    for (const lane of LANES) {
      // Orders keep their order, so only the first one counts; a balance that must wait lets other queries pass.
      const queue = lane === 'order' ? this.#waiting.order.slice(0, 1) : this.#waiting[lane]
      for (const waiter of queue) {
        const at = this.#earliest(waiter)
        if (at <= now) return [waiter, at]
        if (at < soonest[1]) soonest = [waiter, at]
      }
      // An order about to start keeps the slot free: a query now would push it back by a whole spacing.
      if (lane === 'order' && soonest[1] < now + this.#pace.spacing(now)) return soonest
    }
    return soonest
  }

  #start(waiter: Waiter, now: number): void {
    const queue = this.#waiting[waiter.lane]
    queue.splice(queue.indexOf(waiter), 1)
    if (!waiter.held) this.#inFlight[waiter.lane] += 1
    this.#nextStart = now + this.#pace.spacing(now)
    if (waiter.lane === 'order') this.#nextOrder = now + this.#limits.orderSpacingMs
    waiter.grant()
  }
}

/** A retry goes first; a list goes before the questions that wait, never before a retry. */
/**
 * A ledger query that has waited this long goes before orders, ms. At three calls a second orders alone would keep the lists
 * out, and with them the fills; the ledger itself takes no more than one a second.
 */
const LEDGER_PATIENCE_MS = 800

/** A question that has waited this long lets no further list pass: lists without end would else keep it for ever, ms. */
const QUESTION_PATIENCE_MS = 2_500

function placeOf({ held, asked }: Waiter, queue: readonly Waiter[]): number {
  if (held) return 0
  if (asked === 'question') return queue.length
  const now = performance.now()
  const isYoung = ({ since }: Waiter): boolean => now - since < QUESTION_PATIENCE_MS
  const question = queue.findIndex((other) => !other.held && other.asked === 'question' && isYoung(other))
  return question === -1 ? queue.length : question
}

const closedError = (): NotSentError => new NotSentError('증권사 연결이 닫혀 요청을 보내지 않았습니다.')
