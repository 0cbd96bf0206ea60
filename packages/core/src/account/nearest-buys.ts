import type { Book } from './types.ts'

/** Codes with a next buy, that with the least way to fall first; one without a price last. */
export function nearestBuys(book: Book, priceOf: (code: string) => number | null): string[] {
  const way = [...book.stocks.values()].flatMap(({ issue: { code }, nextBuyPrice }): [string, number][] =>
    nextBuyPrice === null ? [] : [[code, (priceOf(code) ?? Number.POSITIVE_INFINITY) / nextBuyPrice]],
  )
  return way.sort(([, a], [, b]) => (a === b ? 0 : a - b)).map(([code]) => code)
}
