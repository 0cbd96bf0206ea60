import type { Execution } from './types.ts'

/** A list of orders from a day on. */
interface ListFrom {
  readonly from: string
  readonly executions: readonly Execution[]
}

/**
 * Stocks in which a fill or an order came between two lists, in the days that both show: people's checks look further back
 * than the account. Of these the holdings read in between prove nothing.
 */
export function movedStocks(one: ListFrom, other: ListFrom): string[] {
  const from = one.from > other.from ? one.from : other.from
  const before = rowsByStock(one.executions, from)
  const after = rowsByStock(other.executions, from)
  const codes = new Set([...before.keys(), ...after.keys()])
  return [...codes].filter((code) => !isSame(before.get(code) ?? [], after.get(code) ?? []))
}

const rowsByStock = (rows: readonly Execution[], from: string): Map<string, Execution[]> =>
  Map.groupBy(
    rows.filter(({ day }) => day >= from),
    ({ code }) => code,
  )

const isSame = (a: readonly Execution[], b: readonly Execution[]): boolean =>
  a.length === b.length && a.every((row, i) => row.odno === b[i]?.odno && row.filledCount === b[i].filledCount)
