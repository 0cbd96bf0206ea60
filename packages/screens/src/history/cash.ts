import { cashFlow, sameShares, type Book } from '@digger/core'
import type { KisBalance } from '@digger/kis'

/** A difference in shares that stands this long is no fill on its way to the book but a real one, ms. */
const STANDING_MS = 10_000

interface Base {
  readonly depositAmount: number
  /** The book's cash flow that this deposit contains. */
  readonly flow: number
  readonly day: string
}

/**
 * What a deposit is now, so that deposit and lots always belong together: the broker's figure from a moment when both
 * held the same shares, carried forward by what was booked since. The broker books a fill a second or two before we
 * do; shown side by side with our lots, its bare figure would lose or double that money until the next reading.
 */
export class Cash {
  readonly #bases = new Map<string, Base>()
  /** Figures of the broker while it held other shares than the book. */
  readonly #suspects = new Map<string, Base & { readonly since: number }>()

  receive(userId: string, book: Book, { depositAmount, holdings }: KisBalance, now: number): void {
    const reading = { depositAmount, flow: cashFlow(book), day: book.day }
    const known = this.#bases.get(userId)
    if (known?.day !== book.day || sameShares(book, holdings) || this.#isStanding(userId, reading, now)) {
      this.#bases.set(userId, reading)
      this.#suspects.delete(userId)
    }
  }

  #isStanding(userId: string, reading: Base, now: number): boolean {
    const suspect = this.#suspects.get(userId)
    const same = suspect?.depositAmount === reading.depositAmount && suspect.flow === reading.flow
    if (!same) this.#suspects.set(userId, { ...reading, since: now })
    return same && now - suspect.since >= STANDING_MS
  }

  /** Won; null before the broker's first figure. */
  of(userId: string, book: Book): number | null {
    const base = this.#bases.get(userId)
    if (base === undefined) return null
    // A new day forgets the orders of the old one, and with them their flow.
    return base.depositAmount + (base.day === book.day ? cashFlow(book) - base.flow : 0)
  }
}
