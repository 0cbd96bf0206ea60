/** Text, a number as it is (won, shares, percent), or nothing. */
export type Cell = string | number | null

/** One column of a table: its Korean heading, and what stands in it. */
export interface Column<Row> {
  readonly heading: string
  readonly cell: (row: Row) => Cell
}

export const cellsOf = <Row>(columns: readonly Column<Row>[], row: Row): Cell[] => columns.map(({ cell }) => cell(row))

/** Percent as screens show it, with two decimals; plain, so that it stays a number. */
export const percent = (ratio: number | null): number | null => (ratio === null ? null : Math.round(ratio * 100) / 100)
