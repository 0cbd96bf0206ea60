import type { Head } from './seal.ts'

/** A message this much older or newer than the clock here is refused, ms. */
export const MAX_AGE_MS = 60_000
/** So far behind a sender's newest a message may come and still be looked at: after a reconnection some overtake others. */
const WINDOW = 4_096

interface Seen {
  newest: number
  newestAt: number
  numbers: Set<number>
}

/** Which requests were taken already: each is carried out once, whoever sends it again. Bounded by what came within a window. */
export class SeenRequests {
  readonly #senders = new Map<string, Seen>()

  /** False for one that was taken before, or may have been. */
  take({ sender, number, sentAt }: Head): boolean {
    const seen = this.#senders.get(sender) ?? this.#add(sender, sentAt)
    if (number <= seen.newest - WINDOW || seen.numbers.has(number)) return false
    seen.numbers.add(number)
    seen.newestAt = Math.max(seen.newestAt, sentAt)
    seen.newest = Math.max(seen.newest, number)
    if (seen.numbers.size > 2 * WINDOW)
      seen.numbers = new Set([...seen.numbers].filter((one) => one > seen.newest - WINDOW))
    return true
  }

  /** Whoever sent nothing for so long that all of it is too old by now need not be remembered. */
  #add(sender: string, now: number): Seen {
    for (const [old, { newestAt }] of this.#senders) if (newestAt < now - 3 * MAX_AGE_MS) this.#senders.delete(old)
    const seen: Seen = { newest: 0, newestAt: now, numbers: new Set() }
    this.#senders.set(sender, seen)
    return seen
  }
}

/** News comes in the order it was sent; what comes again is not news. */
export class SeenNews {
  readonly #newest = new Map<string, number>()

  take({ sender, number }: Head): boolean {
    if (number <= (this.#newest.get(sender) ?? 0)) return false
    this.#newest.set(sender, number)
    return true
  }
}
