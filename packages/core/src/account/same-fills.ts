import type { Execution } from './types.ts'

/** A list of orders from a day on. */
interface ListFrom {
  readonly from: string
  readonly executions: readonly Execution[]
}

/**
 * Whether no fill came between two lists, in the days that both show: people's checks look further back than the account.
 * `code`: the stock that counts, null for all.
 */
export function sameFills(one: ListFrom, other: ListFrom, code: string | null): boolean {
  const from = one.from > other.from ? one.from : other.from
  const counts = (row: Execution): boolean => row.day >= from && (code === null || row.code === code)
  const a = one.executions.filter(counts)
  const b = other.executions.filter(counts)
  return a.length === b.length && a.every((row, i) => row.odno === b[i]?.odno && row.filledCount === b[i].filledCount)
}
