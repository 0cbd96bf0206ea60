import type { Sim } from '@digger/kis-sim'
import { ASK_AHEAD_PERCENT } from '@digger/core'
import type { Engine } from '../accounts/engine.ts'

/** A user of the server and the pretend customer behind it. */
export interface Pair {
  readonly userId: string
  readonly appKey: string
}

/** Prices that concern nobody may run this far ahead of the server before it is waited for. */
const MOST_AHEAD = 64

/**
 * Moves the pretend market and the server together: nothing new happens before everything that the last thing caused has
 * been decided, sent, answered and written. So the same seed always gives the same history, as fast as the machine goes.
 */
export class Lockstep {
  readonly #sim: Sim
  readonly #engine: Engine
  readonly #pairs: readonly Pair[]
  /** Frames of before this server's time, per pair: an engine started anew has not heard them and never will. */
  readonly #before: readonly number[]
  #touched = false
  #ahead = 0

  constructor(sim: Sim, engine: Engine, pairs: readonly Pair[]) {
    this.#sim = sim
    this.#engine = engine
    this.#pairs = pairs
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
    // Two quiet looks in a row: an answer may be on its way between two of them.
    for (let quiet = 0; quiet < 2;) {
      await turn()
      quiet = this.#engine.busy || !this.#allHeard() ? 0 : quiet + 1
    }
    this.#ahead = 0
  }

  /** Waits until each socket has so many stocks registered: what is traded before that would not be heard. */
  async watching(counts: readonly number[]): Promise<void> {
    const all = () => this.#pairs.every(({ appKey }, n) => this.#sim.registered(appKey).length > (counts[n] ?? 0))
    while (!all()) await turn()
    await this.settle()
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
