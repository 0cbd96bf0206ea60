import type { ExportTable } from '@digger/contract'
import type { Db } from '@digger/database'
import { csvHead, csvLines } from './csv.ts'
import type { Days } from './pages.ts'
import type { Column } from './table.ts'
import { AUDIT_COLUMNS, auditOf } from './tables/audit.ts'
import { GAIN_COLUMNS, gainOf } from './tables/gain.ts'
import { LOT_COLUMNS, lotsOf } from './tables/lots.ts'
import { MONEY_COLUMNS, moneyOf } from './tables/money.ts'
import { ORDER_COLUMNS, ordersOf } from './tables/orders.ts'

export interface Asked {
  readonly userId: string
  readonly days: Days
  /** One stock only, where rows are of stocks; null: all. */
  readonly code: string | null
  /** The market's time, epoch ms. */
  readonly now: number
}

/** A table as CSV, part by part. */
export function csvOf(db: Db, table: ExportTable, { userId, days, code, now }: Asked): AsyncGenerator<string> {
  switch (table) {
    case 'trades':
      return written(LOT_COLUMNS, lotsOf(db, userId, days, code))
    case 'orders':
      return written(ORDER_COLUMNS, ordersOf(db, userId, days, code))
    case 'gain':
      return written(GAIN_COLUMNS, ofCode(gainOf(db, userId, days), code))
    case 'money':
      return written(MONEY_COLUMNS, moneyOf(db, userId, days))
    case 'audit':
      return written(AUDIT_COLUMNS, auditOf(db, userId, days, now))
  }
}

async function* written<Row>(columns: readonly Column<Row>[], pages: AsyncGenerator<Row[]>): AsyncGenerator<string> {
  const head = csvHead(columns)
  // Together with the first rows: what cannot be read is refused before anything is sent.
  let isFirst = true
  for await (const page of pages) {
    const lines = csvLines(columns, page)
    if (isFirst) yield head + lines
    else if (lines !== '') yield lines
    isFirst = false
  }
  if (isFirst) yield head
}

async function* ofCode<Row extends { readonly code: string }>(
  pages: AsyncGenerator<Row[]>,
  code: string | null,
): AsyncGenerator<Row[]> {
  for await (const page of pages) yield code === null ? page : page.filter((row) => row.code === code)
}
