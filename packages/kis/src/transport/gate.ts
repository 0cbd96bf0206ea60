import type { Lane } from '../api.ts'
import { NotSentError } from '../errors.ts'
import type { RateLimits } from './limits.ts'

/** The right to make one call; `again` waits for another slot without giving up the place in the lane. */
export interface Pass {
  again(delayMs: number): Promise<void>
  leave(): void
}

interface Waiter {
  readonly lane: Lane
  readonly balance: boolean
  /** Owns its lane already: a retry, not a new call. */
  readonly held: boolean
  readonly notBefore: number
  readonly grant: () => void
  readonly reject: (error: Error) => void
}

const LANES = ['order', 'ledger', 'quote'] as const

/** The one queue of an app key: evenly spaced, orders first, orders and ledger queries one at a time and in the order asked. */
export class Gate {
  readonly #limits: RateLimits
  readonly #waiting: Record<Lane, Waiter[]> = { order: [], ledger: [], quote: [] }
  readonly #inFlight: Record<Lane, number> = { order: 0, ledger: 0, quote: 0 }
  #nextStart = Number.NEGATIVE_INFINITY
  #nextOrder = Number.NEGATIVE_INFINITY
  #nextLedger = Number.NEGATIVE_INFINITY
  #nextBalance = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(limits: RateLimits) {
    this.#limits = limits
  }

  async enter(lane: Lane, balance = false): Promise<Pass> {
    if (this.#waiting[lane].length >= this.#limits.queueMax) {
      throw new NotSentError('증권사로 보낼 요청이 너무 많이 밀려 있습니다. 잠시 후 다시 시도하세요.')
    }
    await this.#slot({ lane, balance, held: false, notBefore: 0 })
    let left = false
    return {
      again: async (delayMs) => {
        this.#answered(lane, balance)
        await this.#slot({ lane, balance, held: true, notBefore: performance.now() + delayMs })
      },
      leave: () => {
        if (left) return
        left = true
        this.#inFlight[lane] -= 1
        this.#answered(lane, balance)
        this.#pump()
      },
    }
  }

  /** After EGW00201: the whole key is silent for a moment. */
  holdAll(): void {
    this.#nextStart = Math.max(this.#nextStart, performance.now() + this.#limits.holdMs)
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

  #slot(waiter: Omit<Waiter, 'grant' | 'reject'>): Promise<void> {
    if (this.#closed) return Promise.reject(closedError())
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queue = this.#waiting[waiter.lane]
    const entry: Waiter = { ...waiter, grant: resolve, reject }
    if (waiter.held) queue.unshift(entry)
    else queue.push(entry)
    this.#pump()
    return promise
  }

  #answered(lane: Lane, balance: boolean): void {
    if (lane !== 'ledger') return
    const now = performance.now()
    this.#nextLedger = Math.max(this.#nextLedger, now + this.#limits.ledgerSpacingMs)
    if (balance) this.#nextBalance = Math.max(this.#nextBalance, now + this.#limits.balanceSpacingMs)
  }

  /** When this waiter may start; Infinity while something must end first. */
  #earliest({ lane, balance, held, notBefore }: Waiter): number {
    const room = lane === 'quote' ? this.#limits.quotesAtOnce : 1
    if (!held && this.#inFlight[lane] >= room) return Number.POSITIVE_INFINITY
    const own = { order: this.#nextOrder, ledger: this.#nextLedger, quote: 0 }[lane]
    return Math.max(this.#nextStart, notBefore, own, balance ? this.#nextBalance : 0)
  }

  #pump(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (;;) {
      const now = performance.now()
      const [waiter, at] = this.#pick(now)
      if (waiter === null) return
      if (at > now) {
        // Never below 1 ms: timers may fire a fraction early and would spin.
        this.#timer = setTimeout(() => this.#pump(), Math.max(1, Math.ceil(at - now)))
        return
      }
      this.#start(waiter, now)
    }
  }

  /** The waiter to start next and when; the first lane with one that may start now, else the soonest of all. */
  #pick(now: number): [Waiter | null, number] {
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
      if (lane === 'order' && soonest[1] < now + this.#limits.spacingMs) return soonest
    }
    return soonest
  }

  #start(waiter: Waiter, now: number): void {
    const queue = this.#waiting[waiter.lane]
    queue.splice(queue.indexOf(waiter), 1)
    if (!waiter.held) this.#inFlight[waiter.lane] += 1
    this.#nextStart = now + this.#limits.spacingMs
    if (waiter.lane === 'order') this.#nextOrder = now + this.#limits.orderSpacingMs
    waiter.grant()
  }
}

const closedError = (): NotSentError => new NotSentError('증권사 연결이 닫혀 요청을 보내지 않았습니다.')
