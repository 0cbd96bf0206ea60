import { noStock, refused, type CommandOf } from './command-result.ts'
import { compare, confirmedDifferences, differences } from './compare.ts'
import { correctShares } from './correct-shares.ts'
import { applyExecutions } from './ledger.ts'
import type { StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'

/** Compares book and broker for a person, and corrects the book when that is what they asked for. */
export function checkBalance(
  builder: StepBuilder,
  { kind, code, snapshot }: CommandOf<'checkBalance' | 'fixBalance'>,
): CommandResult {
  if (code !== null && builder.stock(code) === undefined) return noStock(code)
  applyExecutions(builder, snapshot)
  // Without the holdings nothing can be compared; least of all do they count as none.
  if (snapshot.balance === null) return refused('BUSY', '증권사 잔고를 끝까지 읽지 못했습니다. 잠시 뒤 다시 해 주세요.')
  const confirmed = confirmedDifferences(builder, snapshot)
  compare(builder, snapshot)
  const found = differences(builder, snapshot, code)
  const problems: string[] = []
  for (const stock of builder.book.stocks.values()) {
    const own = stock.issue.code
    if (code !== null && own !== code) continue
    builder.record({ kind: 'stockChecked', code: own })
    const how = { confirmed: confirmed.has(own), alone: code !== null }
    const problem = kind === 'fixBalance' ? correctShares(builder, builder.stock(own) ?? stock, snapshot, how) : null
    if (problem !== null) problems.push(`${stock.name}: ${problem}`)
  }
  const [problem] = problems
  if (problem !== undefined) return refused('CONFLICT', problem)
  return { ok: true, orderIds: [], differences: found }
}
