import { KisError, ProtocolError } from '../errors.ts'
import { CONT_LAST, CONT_MORE, CONT_NEXT } from '../wire/endpoints.ts'
import type { EndpointName } from '../wire/endpoints.ts'
import type { ApiReply, TimedReply } from './api-reply.ts'
import type { Calls, Params, QueryOptions } from './calls.ts'

/** "조회이후에 자료가 변경되었습니다": the list changed between two pages (open-trading-api issue 42 and others). */
const LIST_CHANGED = 'SYDB0050'

/** A list that changes all the time must not keep the ledger for ever. */
const MAX_WALKS = 4

/** Far above a busy day (15 rows a page on paper); reached only when the broker's cursor runs in circles. */
const MAX_PAGES = 200

interface Paging<Row> {
  readonly query: QueryOptions
  readonly rowsOf: (reply: ApiReply) => readonly Row[]
  /** Rows of a full page; null where the broker does not say. */
  readonly fullPage: number | null
  /**
   * What makes two rows the same: the broker was seen to list every row twice over its pages. The later one counts, for what it
   * counts only grows.
   */
  readonly keyOf?: (row: Row) => string
}

interface Pages<Row> {
  readonly rows: Row[]
  readonly last: ApiReply
  /** When the request of the first page left, epoch ms. */
  readonly leftAt: number
}

/**
 * Every page or an error: a list cut short would look like positions and orders that are gone. One that changed while it was
 * read is read again from its beginning.
 */
export async function readPages<Row>(
  calls: Calls,
  name: EndpointName,
  params: Params,
  paging: Paging<Row>,
): Promise<Pages<Row>> {
  for (let walk = 1; ; walk += 1) {
    try {
      const pages = await walkPages(calls, name, params, paging)
      return paging.keyOf === undefined ? pages : { ...pages, rows: withoutTwins(pages.rows, paging.keyOf) }
    } catch (error) {
      if (walk === MAX_WALKS || !(error instanceof KisError) || error.code !== LIST_CHANGED) throw error
    }
  }
}

/** Each row at its first place, as it was listed last. */
const withoutTwins = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): Row[] => [
  ...new Map(rows.map((row) => [keyOf(row), row])).values(),
]

async function walkPages<Row>(
  calls: Calls,
  name: EndpointName,
  params: Params,
  paging: Paging<Row>,
): Promise<Pages<Row>> {
  const rows: Row[] = []
  let leftAt: number | null = null
  let cursor = { fk: '', nk: '' }
  const cursors = new Set<string>()
  let previous = ''
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const pageParams = { ...params, CTX_AREA_FK100: cursor.fk, CTX_AREA_NK100: cursor.nk }
    const reply: TimedReply = await calls.query(name, pageParams, {
      ...paging.query,
      cont: page === 1 ? '' : CONT_NEXT,
    })
    leftAt ??= reply.leftAt
    const found = paging.rowsOf(reply)
    const content = JSON.stringify(found)
    if (content === previous && !isHarmless(found.length, paging))
      throw new ProtocolError(`${name}: page ${page} repeats the last`)
    previous = content
    rows.push(...found)
    if (!hasMore(reply, found.length, paging.fullPage)) return { rows, last: reply, leftAt }

    // Cursors go back exactly as they came, padding included.
    const next = { fk: rawText(reply.body['ctx_area_fk100']), nk: rawText(reply.body['ctx_area_nk100']) }
    const key = JSON.stringify(next)
    if (cursors.has(key)) throw new ProtocolError(`${name}: page ${page} leads back to an earlier one`)
    cursors.add(key)
    cursor = next
  }
  throw new ProtocolError(`${name}: more than ${MAX_PAGES} pages`)
}

/** A page that is repeated took the place of another one, if it is full; a short one has nothing behind it that could be missing. */
const isHarmless = (found: number, { keyOf, fullPage }: Pick<Paging<never>, 'keyOf' | 'fullPage'>): boolean =>
  found === 0 || (keyOf !== undefined && fullPage !== null && found < fullPage)

/** Only the header decides; cursors may stand on the last page and be absent on others. */
function hasMore({ cont }: ApiReply, found: number, fullPage: number | null): boolean {
  if (cont !== null && CONT_MORE.includes(cont)) return true
  if (cont !== null && CONT_LAST.includes(cont)) return false
  if (fullPage !== null && found >= fullPage) {
    throw new ProtocolError(`a full page of ${found} rows without a readable tr_cont: ${cont ?? 'absent'}`)
  }
  return false
}

const rawText = (value: unknown): string => (typeof value === 'string' ? value : '')
