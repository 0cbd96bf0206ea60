import type { StoppingLimit } from './limits/types.ts'
import type { Account } from './step-types.ts'
import type { Blocked, Book } from './types.ts'

/** Why Digger itself stopped trading a stock: it goes on when its person has settled it. */
export const STOCK_STOPS = ['mismatch', 'rejects', 'ambiguous', 'frozen'] as const satisfies readonly (
  | Blocked['code']
  | 'frozen'
)[]
export type StockStop = (typeof STOCK_STOPS)[number]

/** What one account waits for, until its person settles it. Empty where nothing waits. */
export interface Matters {
  /** How many of its stocks each cause has stopped. */
  readonly stocks: Readonly<Partial<Record<StockStop, number>>>
  /** It asks whether another Digger trades the account, and no order leaves meanwhile. */
  readonly asks: boolean
  /** Limits that were reached and hold the buying back. */
  readonly limits: readonly StoppingLimit[]
  /** Some stock is to be bought or sold by itself, and its person has not halted it or the account. */
  readonly automatic: boolean
}

/** A stock that is both blocked and frozen counts for both: each has to be settled. */
export function mattersOf({ book }: Pick<Account, 'book'>): Matters {
  const stocks: Partial<Record<StockStop, number>> = {}
  const count = (cause: StockStop): void => void (stocks[cause] = (stocks[cause] ?? 0) + 1)
  for (const { blocked, frozen } of book.stocks.values()) {
    if (blocked !== null) count(blocked.code)
    if (frozen !== null) count('frozen')
  }
  return {
    stocks,
    asks: book.otherServer.suspected !== null,
    limits: book.limits.trips.map(({ limit }) => limit),
    automatic: isAutomatic(book),
  }
}

const isAutomatic = (book: Book): boolean =>
  book.stop !== 'halt' &&
  [...book.stocks.values()].some(
    ({ stop, settings: { autoBuy, autoSell } }) => stop !== 'halt' && (autoBuy || autoSell),
  )
