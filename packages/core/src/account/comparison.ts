import type { Account } from './step-types.ts'

/** How the book stands to the broker. */
export interface Comparison {
  /** When both were last compared, epoch ms; null: not since the key or the link came back. */
  readonly at: number | null
  /** Stocks that were found to differ, or seem to. */
  readonly differing: readonly string[]
}

export function comparisonOf({ book, view }: Pick<Account, 'book' | 'view'>): Comparison {
  const blocked = [...book.stocks.values()].filter((stock) => stock.blocked?.code === 'mismatch')
  const codes = blocked.map(({ issue }) => issue.code)
  const { lastBalanceAt } = view.readSchedule
  return {
    at: view.connection.armed && lastBalanceAt > 0 ? lastBalanceAt : null,
    differing: [...new Set([...codes, ...view.stocks.suspectedMismatches.keys()])],
  }
}
