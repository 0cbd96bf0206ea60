import type { Book, Stock } from './types.ts'

/** Stocks with something at stake first: forty get the socket. */
export function wantedCodes(book: Book): string[] {
  return [...book.stocks.values()]
    .filter((stock) => stock.priceSubscribed || stock.lots.length > 0 || stock.nextBuyPrice !== null)
    .sort((a, b) => weight(b) - weight(a) || (a.issue.code < b.issue.code ? -1 : 1))
    .map((stock) => stock.issue.code)
}

const weight = (stock: Stock): number =>
  (stock.nextBuyPrice === null ? 0 : 4) + (stock.lots.length === 0 ? 0 : 2) + (stock.priceSubscribed ? 1 : 0)
