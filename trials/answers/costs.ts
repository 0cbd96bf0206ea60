import { orderMoney } from '../agreement/agreement.ts'
import type { ReplayResult } from '../replay/replay.ts'

/**
 * Where the broker keeps another tax than the book counts, its cash lies below the book's by exactly what its own list of
 * fills says was kept beyond that: then the difference of cash is explained, and nothing else is.
 */
export function costsExplained(problems: readonly string[], { book, truth }: ReplayResult): string[] {
  const counted = orderMoney(book).cost
  const kept = truth.events.reduce((sum, event) => sum + (event.kind === 'filled' ? event.fee + event.tax : 0), 0)
  return problems.filter((text) => {
    const found = /^cash: book (-?\d+), broker (-?\d+)$/.exec(text)
    return found === null || Number(found[1]) - Number(found[2]) !== kept - counted
  })
}
