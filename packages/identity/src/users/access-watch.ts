import { every, type Clock } from '@digger/database'

/** How often each right is asked for, ms. */
export const ACCESS_CHECK_MS = 5_000
/**
 * A right that nobody could confirm so often in a row (the database is away) is taken for gone: 15 to 20 s after it was confirmed.
 * Counted, not timed: a process that was kept from running has not asked meanwhile.
 */
const MAX_UNCONFIRMED = 3
/** Those of one turn are asked for together: their sessions are one question to the database. */
const TURNS = 20

/** Whoever goes on using a right that was granted once, such as a live stream. */
export interface Watched {
  /** Whether the right is still there; rejects when nobody can say. */
  confirm(): Promise<boolean>
  end(): void
}

interface Entry {
  readonly watched: Watched
  /** How often the right was asked for, and the last of these questions that was confirmed. */
  asked: number
  confirmed: number
}

/**
 * Asks again and again for rights: a session may have expired, and the operator's command may have taken away an
 * administrator's rights or a user, in another process.
 */
export class AccessWatch {
  readonly #clock: Clock
  readonly #turns = Array.from({ length: TURNS }, () => new Set<Entry>())
  #turn = 0
  #count = 0
  #stop: (() => void) | null = null

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Until the returned function is called, once. */
  add(watched: Watched): () => void {
    const entry: Entry = { watched, asked: 0, confirmed: 0 }
    // Its turn has just been, and comes again when all others were.
    const turn = this.#turns[this.#turn]
    turn?.add(entry)
    this.#count += 1
    this.#stop ??= every(this.#clock, ACCESS_CHECK_MS / TURNS, () => this.#askNext())
    return () => {
      turn?.delete(entry)
      this.#count -= 1
      if (this.#count > 0) return
      this.#stop?.()
      this.#stop = null
    }
  }

  #askNext(): void {
    this.#turn = (this.#turn + 1) % TURNS
    for (const entry of this.#turns[this.#turn] ?? []) void this.#ask(entry)
  }

  async #ask(entry: Entry): Promise<void> {
    if (entry.asked - entry.confirmed >= MAX_UNCONFIRMED) return entry.watched.end()
    const question = (entry.asked += 1)
    try {
      if (await entry.watched.confirm()) entry.confirmed = question
      else entry.watched.end()
    } catch {
      // Unconfirmed, which counts.
      return
    }
  }
}
