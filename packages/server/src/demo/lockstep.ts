import type { Sim } from '@digger/kis-sim'
import type { Engine } from '../accounts/engine.ts'

/** A user of the server and the pretend customer behind it. */
export interface Pair {
  readonly userId: string
  readonly appKey: string
}

/**
 * Moves the pretend market and the server together: nothing new happens before everything that the last thing caused has
 * been decided, sent, answered and written. So the same seed always gives the same history, as fast as the machine goes.
 */
export class Lockstep {
  readonly #sim: Sim
  readonly #engine: Engine
  readonly #pairs: readonly Pair[]

  constructor(sim: Sim, engine: Engine, pairs: readonly Pair[]) {
    this.#sim = sim
    this.#engine = engine
    this.#pairs = pairs
  }

  async settle(): Promise<void> {
    // Two quiet looks in a row: an answer may be on its way between two of them.
    for (let quiet = 0; quiet < 2;) {
      await new Promise((resolve) => setImmediate(resolve))
      quiet = this.#engine.busy || !this.#allHeard() ? 0 : quiet + 1
    }
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

  #allHeard(): boolean {
    return this.#pairs.every(({ userId, appKey }) => this.#engine.frames(userId) >= this.#sim.framesSent(appKey))
  }
}
