import { ListChangedError, ProtocolError } from '../errors.ts'
import { CONT_LAST, CONT_MORE, CONT_NEXT } from '../wire/endpoints.ts'
import type { EndpointName } from '../wire/endpoints.ts'
import type { ApiReply, TimedReply } from './api-reply.ts'
import type { Calls, Params, QueryOptions } from './calls.ts'

/** Far above a busy day (15 rows a page on paper); reached only when the broker's cursor runs in circles. */
const MAX_PAGES = 200

/** A list that changes under every walk is for the caller to ask again later; a long one takes seconds each time. */
const MAX_WALKS = 2

export interface Paging<Row> {
  readonly query: QueryOptions
  readonly rowsOf: (reply: ApiReply) => readonly Row[]
  /** Rows of a full page; null where the broker does not say. */
  readonly fullPage: number | null
  /** How often the list is walked at most, where it changes each time. Default: twice. */
  readonly walks?: number
  /** The walk ends after so many, whole or not. Default: with the last. */
  readonly pages?: number
}

export interface Pages<Row> {
  readonly rows: Row[]
  readonly last: ApiReply
  /** No page comes after these. */
  readonly isWhole: boolean
  /** When the request of the first page left, epoch ms. */
  readonly leftAt: number
}

/** The pages of a walk up to the one that was another list's. */
export class BrokenWalk<Row> extends ListChangedError {
  readonly rows: readonly Row[]
  readonly leftAt: number

  constructor(rows: readonly Row[], leftAt: number, { message, code }: ListChangedError) {
    super(message, code)
    this.rows = rows
    this.leftAt = leftAt
  }
}

/**
 * Every page or an error: a list cut short would look like positions and orders that are gone. Where the broker says that
 * the list changed meanwhile, the pages read so far count for nothing, and their time neither.
 */
export async function readPages<Row>(
  calls: Calls,
  name: EndpointName,
  params: Params,
  paging: Paging<Row>,
): Promise<Pages<Row>> {
  for (let walk = 1; ; walk += 1) {
    try {
      return await walkPages(calls, name, params, paging)
    } catch (error) {
      if (!(error instanceof ListChangedError) || walk >= (paging.walks ?? MAX_WALKS)) throw error
    }
  }
}

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
    let reply: TimedReply
    try {
      reply = await calls.query(name, pageParams, { ...paging.query, cont: page === 1 ? '' : CONT_NEXT })
    } catch (error) {
      if (error instanceof ListChangedError && leftAt !== null) throw new BrokenWalk(rows, leftAt, error)
      throw error
    }
    leftAt ??= reply.leftAt
    const found = paging.rowsOf(reply)
    const content = JSON.stringify(found)
    const isCopy = found.length > 0 && content === previous
    // Where the last page was full, others may hide behind its copy. One with room left hides none: a list of 16 orders came
    // as 32 rows over its pages (a public project, real account).
    if (isCopy && (paging.fullPage === null || found.length >= paging.fullPage))
      throw new ProtocolError(`${name}: page ${page} repeats the last`)
    previous = content
    if (!isCopy) rows.push(...found)
    const isWhole = !hasMore(reply, found.length, paging.fullPage)
    if (isWhole || page === paging.pages) return { rows, last: reply, isWhole, leftAt }

    // Cursors go back exactly as they came, padding included.
    const next = { fk: rawText(reply.body['ctx_area_fk100']), nk: rawText(reply.body['ctx_area_nk100']) }
    const key = JSON.stringify(next)
    if (cursors.has(key)) throw new ProtocolError(`${name}: page ${page} leads back to an earlier one`)
    cursors.add(key)
    cursor = next
  }
  throw new ProtocolError(`${name}: more than ${MAX_PAGES} pages`)
}

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
