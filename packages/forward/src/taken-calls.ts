import type { ForwardedCall } from './forwarded-call.ts'

/** As long as the slowest call answers in one process, and a little more for the way, ms. */
export const ANSWER_MS = 40_000
/** By which two clocks may differ that both follow the database's, ms. */
const CLOCKS_MS = 5_000
/** Far longer than a call is good for, ms. */
const REMEMBERED_MS = 150_000
/** Some 700 changes a second: a server that has so many is being flooded. */
const MAX_REMEMBERED = 100_000

/** A call that is not carried out, because somebody sent it again or held it back. */
export class StaleCallError extends Error {
  override readonly name = 'StaleCallError'
}

/** Throws StaleCallError where whoever asked does not wait any more, or claims to wait longer than anybody does. `now`: epoch ms. */
export function assertTimely({ until }: Pick<ForwardedCall, 'until'>, now: number): void {
  if (now > until) throw new StaleCallError('the call came when nobody waited for it any more')
  if (until > now + ANSWER_MS + CLOCKS_MS) throw new StaleCallError('the call is of a clock that is not ours')
}

/** Ids of changes that were begun here, for longer than their calls are good for: each is begun once, whoever sends it again. */
export class TakenCalls {
  /** In the order in which they came, with when that was, ms. */
  readonly #takenAt = new Map<string, number>()
  readonly #max: number

  constructor(max = MAX_REMEMBERED) {
    this.#max = max
  }

  /** Throws StaleCallError for one that was begun before, and for all while there are too many to remember. `now`: ms. */
  take(id: string, now = performance.now()): void {
    for (const [old, at] of this.#takenAt) {
      if (at > now - REMEMBERED_MS) break
      this.#takenAt.delete(old)
    }
    if (this.#takenAt.has(id)) throw new StaleCallError('the call was begun before')
    if (this.#takenAt.size >= this.#max) throw new StaleCallError('there are too many calls to remember them')
    this.#takenAt.set(id, now)
  }

  /** Nobody knows whether it was done: it may be asked again under its key. */
  forget(id: string): void {
    this.#takenAt.delete(id)
  }
}
