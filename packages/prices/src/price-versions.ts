import type { Book } from '@digger/core'
import type { AllPrices } from './all-prices.ts'

interface Known {
  readonly book: Book
  readonly changes: number
  readonly sum: number
}

/** A number per account that grows with every change of a price its book holds. Asked for often, so it is kept. */
export class PriceVersions {
  readonly #prices: AllPrices
  readonly #known = new Map<string, Known>()

  constructor(prices: AllPrices) {
    this.#prices = prices
  }

  of(userId: string, book: Book): number {
    const changes = this.#prices.changes
    const known = this.#known.get(userId)
    if (known?.book === book && known.changes === changes) return known.sum
    const sum = this.#prices.changesOf(book.stocks.keys())
    this.#known.set(userId, { book, changes, sum })
    return sum
  }
}
