import type { Listing } from '@digger/kis-sim'

/** Makes up so many stocks of KOSPI that no universe has; `baseOf` says where each begins, won. */
export const madeUpStocks = (count: number, baseOf: (n: number) => number): Listing[] =>
  Array.from({ length: count }, (_, n) => ({
    code: String(100_000 + n * 10),
    name: `종목 ${n + 1}`,
    kind: 'stock',
    market: 'KOSPI',
    nxt: false,
    base: baseOf(n),
  }))
