import type { Sim } from '@digger/kis-sim'
import { ASK_AHEAD_PERCENT } from '@digger/core'
import type { Engine } from '../accounts/engine.ts'
import type { OneByOne } from './one-by-one.ts'

/** A user of the server and the pretend customer behind it. */
export interface Pair {
  readonly userId: string
  readonly appKey: string
}

/** Prices that concern nobody may run this far ahead of the server before it is waited for. */
const MOST_AHEAD = 64

/**
 * Moves the pretend market and the server together: nothing new happens before everything that the last thing caused has
 * been decided, sent, answered and written. With `calls` the broker answers one call at a time, and only while nothing
 * else is under way anywhere: no frame unread, no mailbox at work, no other call between client and broker. Then the same
 * seed always gives the same history, however slow the machine and whichever connection was faster.
 */
export class Lockstep {
  readonly #sim: Sim
  readonly #engine: Engine
  readonly #pairs: readonly Pair[]
  readonly #calls: OneByOne | null
  /** Frames of before this server's time, per pair: an engine started anew has not heard them and never will. */
  readonly #before: readonly number[]
  #touched = false
  #ahead = 0

  constructor(sim: Sim, engine: Engine, pairs: readonly Pair[], calls: OneByOne | null = null) {
    this.#sim = sim
    this.#engine = engine
    this.#pairs = pairs
    this.#calls = calls
    this.#before = pairs.map(({ userId, appKey }) => sim.framesSent(appKey) - engine.frames(userId))
    sim.world.ledger.onFact(() => this.touch())
    sim.world.exchange.listen({
      printed: ({ listing }, _venue, { price }) => {
        this.#ahead += 1
        if (this.#concerns(listing.code, price)) this.touch()
      },
    })
  }

  /** Something happened that the server may act on. */
  touch(): void {
    this.#touched = true
  }

  /** After a move of the market: waits for the server if the move concerned anybody. Returns whether it did. */
  async follow(): Promise<boolean> {
    if (this.#touched) {
      await this.settle()
      return true
    }
    if (this.#ahead >= MOST_AHEAD) await this.#hear()
    return false
  }

  async settle(): Promise<void> {
    this.#touched = false
    do await this.#still()
    while (this.#calls?.next() === true)
    this.#ahead = 0
  }

  /** Waits until nothing moves but calls that stand before the broker. */
  async #still(): Promise<void> {
    // Two quiet looks in a row: an answer may be on its way between two of them.
    for (let quiet = 0; quiet < 2;) {
      await turn()
      quiet = this.#moves() ? 0 : quiet + 1
    }
  }

  #moves(): boolean {
    if (!this.#allHeard()) return true
    if (this.#calls === null) return this.#engine.busy
    const { held } = this.#calls
    const asked = this.#pairs.reduce((sum, { userId }) => sum + this.#engine.unanswered(userId), 0)
    return asked !== held || this.#engine.queue > 0 || (held === 0 && this.#engine.busy)
  }

  /** Waits until each socket has so many stocks registered: what is traded before that would not be heard. */
  async watching(counts: readonly number[]): Promise<void> {
    const all = () => this.#pairs.every(({ appKey }, n) => this.#sim.registered(appKey).length > (counts[n] ?? 0))
    while (!all()) await turn()
    await this.settle()
    this.#calls?.begin()
  }

  async advance(ms: number): Promise<void> {
    await this.#sim.clock.advance(ms)
    await this.settle()
  }

  async advanceTo(at: number): Promise<void> {
    await this.advance(Math.max(0, at - this.#sim.clock.now()))
  }

  /** The server's own timers, now. */
  async tick(): Promise<void> {
    // A timer must not depend on how many of the prices before it were heard.
    await this.#hear()
    this.#engine.tick()
    await this.settle()
  }

  async #hear(): Promise<void> {
    while (!this.#allHeard()) await turn()
    this.#ahead = 0
  }

  #allHeard(): boolean {
    return this.#pairs.every(
      ({ userId, appKey }, n) => this.#engine.frames(userId) + (this.#before[n] ?? 0) >= this.#sim.framesSent(appKey),
    )
  }

  /** Near enough to a next buy that the account looks at it. Sells rest at the broker: their fills are told as facts. */
  #concerns(code: string, price: number): boolean {
    return this.#pairs.some(({ userId }) => {
      const next = this.#engine.book(userId).stocks.get(code)?.nextBuyPrice
      return next != null && price <= next * (1 + ASK_AHEAD_PERCENT / 100)
    })
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
