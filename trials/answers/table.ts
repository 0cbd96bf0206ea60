import { causeOf, missingFrom, type Fill } from './facts.ts'
import type { Row } from './row.ts'

/** Trades that only one of the two runs has, of which the exchange's own facts explain none or not all. */
interface Difference {
  /** Of the pleasant run, not in this one. */
  readonly gone: readonly Fill[]
  /** Of both, without a fact of the exchange before them. */
  readonly unexplained: readonly Fill[]
  /** What explains the others: one fact a stock. */
  readonly because: readonly string[]
}

export function differenceOf(row: Row, pleasant: Row): Difference {
  const gone = missingFrom(row.fills, pleasant.fills)
  const all = [...gone, ...missingFrom(pleasant.fills, row.fills)]
  const before = new Set(pleasant.facts.map(({ code, at }) => `${code} ${at}`))
  const facts = row.facts.filter(({ code, at }) => !before.has(`${code} ${at}`)).toSorted((a, b) => a.at - b.at)
  const causes = all.map((fill) => ({ fill, cause: causeOf(fill, facts) }))
  const because = new Set(
    causes.flatMap(({ fill, cause }) => (cause ? [`${fill.code}: ${cause.what} ${whenOf(cause.at)}`] : [])),
  )
  return { gone, unexplained: causes.flatMap(({ fill, cause }) => (cause ? [] : [fill])), because: [...because].sort() }
}

const whenOf = (at: number): string => new Date(at + 9 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ')

/** Codes of which the book tells anything else than under pleasant answers, instants included. */
const differing = (row: Row, pleasant: Row): string[] =>
  [...pleasant.hashes].flatMap(([code, hash]) => (row.hashes.get(code) === hash ? [] : [code]))

/** Why a row is not as good as the pleasant one; empty: it is, or the exchange itself explains it. */
export function faultsOf(row: Row, pleasant: Row): string[] {
  const { changes } = row.answer
  return [
    ...row.problems,
    ...row.stopped.map((text) => `stopped: ${text}`),
    ...row.missing.map((text) => `no order rests: ${text}`),
    ...[...row.asked].flatMap(([name, times]) =>
      times === 0 ? [`${name} was never asked: this run proves nothing`] : [],
    ),
    ...(changes === 'market' ? [] : differing(row, pleasant).map((code) => `other trades of ${code}`)),
    ...(changes === 'market'
      ? differenceOf(row, pleasant).unexplained.map(({ key, at }) => `${key} at ${whenOf(at)}: no fact of the exchange`)
      : []),
  ]
}

/** How often its question came up, of several the seldomest. */
const askedOf = ({ asked }: Row): string => (asked.size === 0 ? '–' : String(Math.min(...asked.values())))

/** One line a row, then why its trades differ, then what is wrong. `pleasantOf`: the run a row is compared with. */
export function tableOf(rows: readonly Row[], pleasantOf: (row: Row) => Row): string {
  const width = Math.max(...rows.map(({ answer }) => answer.name.length))
  const line = (name: string, ...cells: readonly (string | number)[]): string =>
    [name.padEnd(width), ...cells.map((cell) => String(cell).padStart(7))].join('  ')
  return [
    line('answer', 'asked', 'trades', 'gone', 'stopped', 'missing', 'book'),
    ...rows.flatMap((row) => {
      const pleasant = pleasantOf(row)
      const { gone, because } = differenceOf(row, pleasant)
      return [
        line(
          row.answer.name,
          askedOf(row),
          row.trades,
          gone.length,
          row.stopped.length,
          row.missing.length,
          row.problems.length === 0 ? 'agrees' : 'differs',
        ),
        ...because.map((text) => `    ${text}`),
        ...row.forOwner.map((text) => `    its owner's to settle: ${text}`),
        ...faultsOf(row, pleasant).map((fault) => `  ! ${fault}`),
      ]
    }),
  ].join('\n')
}
