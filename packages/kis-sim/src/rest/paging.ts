import { field, type Call } from './call.ts'

/** Width of the context fields; the client sends them back as they came. */
export const CONTEXT_WIDTH = 100

export interface Page<Row> {
  readonly rows: readonly Row[]
  readonly more: boolean
  readonly context: { readonly ctx_area_fk100: string; readonly ctx_area_nk100: string }
}

/** How a list is sorted by its keys. */
export type Sorting = 'ascending' | 'descending'

export interface Keyed<Row> {
  readonly size: number
  readonly key: (row: Row) => string
  readonly sorting: Sorting
}

/**
 * The page after the row the client saw last. The cursor names that row: what comes or goes in between moves nothing,
 * not even when it is that row itself. Without `tr_cont: N` the cursor is ignored and the list starts over.
 */
export function pageOf<Row>(call: Call, rows: readonly Row[], { size, key, sorting }: Keyed<Row>): Page<Row> {
  const cursor = call.next ? field(call, 'CTX_AREA_NK100') : ''
  const isBeyond = (row: Row): boolean => (sorting === 'ascending' ? key(row) > cursor : key(row) < cursor)
  const found = rows.findIndex(isBeyond)
  const start = cursor === '' ? 0 : found < 0 ? rows.length : found
  const page = rows.slice(start, start + size)
  const last = page.at(-1)
  const more = start + size < rows.length
  return {
    rows: page,
    more,
    context: {
      ctx_area_fk100: `${call.account.number.slice(0, 8)}^${call.account.number.slice(8)}^`.padEnd(CONTEXT_WIDTH),
      ctx_area_nk100: (more && last !== undefined ? key(last) : '').padEnd(CONTEXT_WIDTH),
    },
  }
}
