import type { Sim } from './control/sim-control.ts'
import type { OneByOne } from './one-by-one.ts'

/** The server whose accounts trade on the pretend market, as far as time is moved with it. */
export interface SteppedServer {
  /** Whether an event waits, a call is out or a commit is under way. */
  readonly busy: boolean
  /** Events in mailboxes and commits under way. */
  readonly queue: number
  /** Frames the user's socket has received. */
  frames(userId: string): number
  /** What the user's client has asked and has no answer to, on any wire. */
  unanswered(userId: string): number
  /** Whether an account would look at this price of the stock. */
  concerns(code: string, price: number): boolean
  /** What time alone brings about. */
  tick(): void
}

/** A user of the server and the pretend customer behind it. */
export interface Pair {
  readonly userId: string
  readonly appKey: string
}

/** Prices that concern nobody may run this far ahead of the server before it is waited for. */
const MAX_AHEAD = 64

/**
 * Moves the pretend market and the server together: nothing new happens before everything that the last thing caused has
 * been decided, sent, answered and written. With `calls` the broker answers one call at a time, and only while nothing
 * else is under way anywhere: no frame unread, no mailbox at work, no other call between client and broker. Then the same
 * seed always gives the same history, however slow the machine and whichever connection was faster.
 */
export class Lockstep {
  readonly #sim: Sim
  readonly #server: SteppedServer
  readonly #pairs: readonly Pair[]
  readonly #calls: OneByOne | null
  /** Frames of before this server's time, per pair: an engine started anew has not heard them and never will. */
  readonly #before: readonly number[]
  #touched = false
  #ahead = 0

  constructor(sim: Sim, server: SteppedServer, pairs: readonly Pair[], calls: OneByOne | null = null) {
    this.#sim = sim
    this.#server = server
    this.#pairs = pairs
    this.#calls = calls
    this.#before = pairs.map(({ userId, appKey }) => sim.framesSent(appKey) - server.frames(userId))
    sim.broker.ledger.onFact(() => this.touch())
    sim.broker.exchange.listen({
      printed: ({ listing }, _venue, { price }) => {
        this.#ahead += 1
        if (server.concerns(listing.code, price)) this.touch()
      },
    })
  }

  /** Something happened that the server may act on. */
  touch(): void {
    this.#touched = true
  }

  /** Lets everything go its way until `work` is done: a call of a person that makes calls to the broker. */
  async during<T>(work: Promise<T>): Promise<T> {
    const done = work.then(
      () => true,
      () => true,
    )
    do await this.settle()
    while (!(await Promise.race([done, Promise.resolve(false)])))
    return work
  }

  /** After a move of the market: waits for the server if the move concerned anybody. Returns whether it did. */
  async follow(): Promise<boolean> {
    if (this.#touched) {
      await this.settle()
      return true
    }
    if (this.#ahead >= MAX_AHEAD) await this.#awaitReceipt()
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
    if (!this.#allReceived()) return true
    if (this.#calls === null) return this.#server.busy
    const { held } = this.#calls
    const asked = this.#pairs.reduce((sum, { userId }) => sum + this.#server.unanswered(userId), 0)
    return asked !== held || this.#server.queue > 0 || (held === 0 && this.#server.busy)
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
    await this.#awaitReceipt()
    this.#server.tick()
    await this.settle()
  }

  async #awaitReceipt(): Promise<void> {
    while (!this.#allReceived()) await turn()
    this.#ahead = 0
  }

  #allReceived(): boolean {
    return this.#pairs.every(
      ({ userId, appKey }, n) => this.#server.frames(userId) + (this.#before[n] ?? 0) >= this.#sim.framesSent(appKey),
    )
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
