import { field, type Call } from './call.ts'

/** Width of the context fields; the client sends them back as they came. */
const WIDTH = 100

interface Page<Row> {
  readonly rows: readonly Row[]
  readonly more: boolean
  readonly context: { readonly ctx_area_fk100: string; readonly ctx_area_nk100: string }
}

/**
 * The page after the row the client saw last. The cursor names that row, so rows that came meanwhile move nothing.
 * Without `tr_cont: N` the cursor is ignored and the list starts over.
 */
export function pageOf<Row>(call: Call, rows: readonly Row[], size: number, key: (row: Row) => string): Page<Row> {
  const cursor = call.next ? field(call, 'CTX_AREA_NK100') : ''
  const start = cursor === '' ? 0 : rows.findIndex((row) => key(row) === cursor) + 1
  const page = rows.slice(start, start + size)
  const last = page.at(-1)
  const more = start + size < rows.length
  return {
    rows: page,
    more,
    context: {
      ctx_area_fk100: `${call.account.number.slice(0, 8)}^${call.account.number.slice(8)}^`.padEnd(WIDTH),
      ctx_area_nk100: (more && last !== undefined ? key(last) : '').padEnd(WIDTH),
    },
  }
}
