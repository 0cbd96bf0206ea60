import type { Happening } from '@digger/kis-sim'
import { actionsOf, settleMoves, withNewShares } from '../replay/new-share.ts'
import { replay, type ReplayPlan } from '../replay/replay.ts'
import { fillHash } from '../replay/report.ts'
import type { Answer } from './answers.ts'

/** What was bought and sold of a stock, with and without the instants in which the book learned of it. */
interface Fills {
  readonly exact: string
  readonly timeless: string
}

/** What became of the same days under one answer. */
export interface Row {
  readonly name: string
  readonly changes: Answer['changes']
  readonly trades: number
  /** What was bought and sold, per code. */
  readonly fills: ReadonlyMap<string, Fills>
  /** Codes that something befell, as the exchange knows it; null: all of them. */
  readonly befallen: ReadonlySet<string> | null
  readonly stopped: readonly string[]
  readonly missing: readonly string[]
  readonly problems: readonly string[]
}

/** What two nights bring with them, under every answer: closed lists, and what was learned of them late. */
const OF_THE_NIGHT = /마감 작업|^fill of \d{8}\/\d+ at \d+ booked/

export async function rowOf(answer: Answer, plan: ReplayPlan): Promise<Row> {
  const { name, changes, assumptions, shares = [] } = answer
  const happenings = [...(answer.happenings ?? []), ...actionsOf(shares)]
  const candles = withNewShares(plan.candles, shares)
  const owner = settleMoves('adjust', () => undefined)
  const { book, stopped, missing, problems } = await replay({ ...plan, candles, assumptions, happenings, owner })
  const codes = [...book.issues.keys()]
  const of = (code: string): Fills => {
    const isOf = (row: { readonly code: string }): boolean => row.code === code
    const own = { ...book, orders: book.orders.filter(isOf), trades: book.trades.filter(isOf) }
    return { exact: fillHash(own), timeless: fillHash(own, false) }
  }
  // The owner and prices of two venues may touch any stock.
  const isAnywhere = happenings.length === 0 || happenings.some(({ kind }) => kind === 'circuitBreaker')
  return {
    name,
    changes,
    trades: book.orders.filter((order) => order.filled_count > 0).length,
    fills: new Map(codes.map((code) => [code, of(code)])),
    befallen: isAnywhere ? null : new Set(happenings.flatMap(codeOf)),
    stopped,
    missing,
    problems: problems.filter((text) => !OF_THE_NIGHT.test(text)),
  }
}

const codeOf = (happening: Happening): string[] => ('code' in happening ? [happening.code] : [])

/** Codes of which other shares were bought or sold than under pleasant answers; where only the telling differs, also later or sooner. */
export const differing = (row: Row, pleasant: Row): string[] => {
  const how = row.changes === 'telling' ? 'exact' : 'timeless'
  return [...pleasant.fills].flatMap(([code, fills]) => (row.fills.get(code)?.[how] === fills[how] ? [] : [code]))
}

/** Why a row is not as good as the pleasant one; empty: it is, or the exchange itself explains it. */
export function faultsOf(row: Row, pleasant: Row): string[] {
  const isExplained = (code: string): boolean =>
    row.changes === 'market' && (row.befallen === null || row.befallen.has(code))
  const unexplained = differing(row, pleasant).filter((code) => !isExplained(code))
  return [
    ...row.problems,
    ...row.stopped.map((text) => `stopped: ${text}`),
    ...row.missing.map((text) => `no order rests: ${text}`),
    ...unexplained.map((code) => `other trades of ${code}, and nothing befell it`),
  ]
}

/** One line a row, then what is wrong. */
export function tableOf(rows: readonly Row[], pleasant: Row): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const line = (name: string, ...cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(7))].join('  ')
  return [
    line('answer', 'trades', 'stopped', 'missing', 'book', 'differ'),
    ...rows.flatMap((row) => [
      line(
        row.name,
        row.trades,
        row.stopped.length,
        row.missing.length,
        row.problems.length === 0 ? 'agrees' : 'differs',
        differing(row, pleasant).length,
      ),
      ...faultsOf(row, pleasant).map((fault) => `    ${fault}`),
    ]),
  ].join('\n')
}
