import Papa from 'papaparse'
import { cellsOf, type Cell, type Column } from './table.ts'

/** Excel takes a file without it for one of the system's old code page, and Korean for nonsense. */
const BOM = '\uFEFF'
const CRLF = '\r\n'

/**
 * Text that a spreadsheet may take for a formula gets an apostrophe in front (OWASP, CSV injection): also where spaces come first,
 * with the wide signs that Excel reads as plain ones, and over line ends, which the library's own pattern lets through. Numbers stay.
 */
const FORMULA = /^\s*[=+\-@＝＋－＠]|^[\t\r\n]/

/** Calc splits a line at these, too, unless it is told not to: what stands behind one would be a cell of its own, and maybe a formula. */
const ELSEWHERE_A_BORDER = /[;\t]/
const isQuoted = (cell: unknown): boolean => typeof cell === 'string' && ELSEWHERE_A_BORDER.test(cell)

const linesOf = (rows: Cell[][]): string =>
  rows.length === 0 ? '' : Papa.unparse(rows, { newline: CRLF, escapeFormulae: FORMULA, quotes: isQuoted }) + CRLF

/** The beginning of a file: mark and headings. */
export const csvHead = <Row>(columns: readonly Column<Row>[]): string =>
  BOM + linesOf([columns.map(({ heading }) => heading)])

export const csvLines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string =>
  linesOf(rows.map((row) => cellsOf(columns, row)))
