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
 * What a deposit is now, so that deposit and lots always belong together: the broker's word from a moment when both
 * held the same shares, carried forward by what was booked since. The broker books a fill a second or two before we
 * do; shown side by side with our lots, its bare figure would lose or double that money until the next reading.
 */
export class Cash {
  readonly #bases = new Map<string, Base>()
  /** Words of the broker while it held other shares than the book. */
  readonly #doubts = new Map<string, Base & { readonly since: number }>()

  heard(userId: string, book: Book, { depositAmount, holdings }: KisBalance, now: number): void {
    const word = { depositAmount, flow: cashFlow(book), day: book.day }
    const known = this.#bases.get(userId)
    if (known?.day !== book.day || sameShares(book, holdings) || this.#stands(userId, word, now)) {
      this.#bases.set(userId, word)
      this.#doubts.delete(userId)
    }
  }

  #stands(userId: string, word: Base, now: number): boolean {
    const doubt = this.#doubts.get(userId)
    const same = doubt?.depositAmount === word.depositAmount && doubt.flow === word.flow
    if (!same) this.#doubts.set(userId, { ...word, since: now })
    return same && now - doubt.since >= STANDING_MS
  }

  /** Won; null before the first word of the broker. */
  of(userId: string, book: Book): number | null {
    const base = this.#bases.get(userId)
    if (base === undefined) return null
    // A new day forgets the orders of the old one, and with them their flow.
    return base.depositAmount + (base.day === book.day ? cashFlow(book) - base.flow : 0)
  }
}
