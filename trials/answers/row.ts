import { replay, type ReplayPlan } from '../replay/replay.ts'
import { fillHash } from '../replay/report.ts'
import type { Answer } from './answers.ts'

/** What became of the same days under one answer. */
export interface Row {
  readonly name: string
  readonly trades: number
  readonly hash: string
  readonly stopped: readonly string[]
  readonly missing: readonly string[]
  readonly problems: readonly string[]
}

/** What the closed lists of two nights bring with them, under every answer. */
const OF_THE_NIGHT = /마감 작업|^fill of \d{8}\/\d+ at \d+ booked/

export async function rowOf({ name, assumptions }: Answer, plan: ReplayPlan): Promise<Row> {
  const { book, stopped, missing, problems } = await replay({ ...plan, assumptions })
  return {
    name,
    trades: book.orders.filter((order) => order.filled_count > 0).length,
    hash: fillHash(book),
    stopped,
    missing,
    problems: problems.filter((text) => !OF_THE_NIGHT.test(text)),
  }
}

/** Why a row is not as good as the pleasant one; empty: it is. */
export function faultsOf(row: Row, pleasant: Row): string[] {
  return [
    ...row.problems,
    ...row.stopped.map((text) => `stopped: ${text}`),
    ...row.missing.map((text) => `no order rests: ${text}`),
    ...(row.hash === pleasant.hash ? [] : [`${row.trades} trades, ${pleasant.trades} under pleasant answers`]),
  ]
}

/** One line a row, then what is wrong. */
export function tableOf(rows: readonly Row[], pleasant: Row): string {
  const width = Math.max(...rows.map(({ name }) => name.length))
  const line = (name: string, ...cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(7))].join('  ')
  return [
    line('answer', 'trades', 'stopped', 'missing', 'book', 'same'),
    ...rows.flatMap((row) => [
      line(
        row.name,
        row.trades,
        row.stopped.length,
        row.missing.length,
        row.problems.length === 0 ? 'agrees' : 'differs',
        row.hash === pleasant.hash ? 'yes' : 'NO',
      ),
      ...faultsOf(row, pleasant).map((fault) => `    ${fault}`),
    ]),
  ].join('\n')
}
