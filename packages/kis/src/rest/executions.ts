import { z } from 'zod'
import type { KisExecution, KisExecutions } from '../api.ts'
import type { ExecutionsQuery, KisUnreadableRow } from '../api-lists.ts'
import { DaysRefusedError, PartialListError } from '../errors.ts'
import { dayAfter, dayBefore, kstDay, kstInstant, monthStart } from '../kst.ts'
import { BrokenWalk, readPages, type Paging } from '../transport/pages.ts'
import { FILLED_CODE } from '../wire/codes.ts'
import { PAGE_ROWS } from '../wire/endpoints.ts'
import { readChangingList } from './changing-list.ts'
import type { RestContext } from './context.ts'
import { readExecutionRows } from './execution-rows.ts'
import { parse, rawRow, type RawRow } from './fields.ts'

const ReplyBody = z.object({ output1: z.array(rawRow) })

/** A longer range that the broker refuses stays refused: a month of single questions takes the ledger half a minute. */
const MAX_SINGLE_DAYS = 31

/** Orders and fills of every venue, oldest first. One that changed while it was read throws what it showed before. */
export async function getExecutions(kis: RestContext, query: ExecutionsQuery): Promise<KisExecutions> {
  const raws: RawRow[] = []
  let leftAt = kis.now()
  for (const [index, part] of splitAtThreeMonths(query, kstDay(leftAt)).entries()) {
    const read = await readDays(kis, part, query).catch((error: unknown) => {
      throw error instanceof BrokenWalk
        ? new PartialListError(executionsOf(kis, error.rows, error.leftAt), error)
        : error
    })
    raws.push(...read.rows)
    if (index === 0) leftAt = read.leftAt
  }
  return executionsOf(kis, raws, leftAt)
}

function executionsOf(kis: RestContext, raws: readonly RawRow[], leftAt: number): KisExecutions {
  const { rows, unreadable } = readExecutionRows(kis, raws)
  const found = rows.toSorted((a, b) => sortTime(a) - sortTime(b) || (a.odno < b.odno ? -1 : 1))
  return listOf(found, leftAt, unreadable)
}

/** Not enumerable: the list stays a list of executions to whoever copies or compares it. */
const listOf = (found: KisExecution[], leftAt: number, unreadable: readonly KisUnreadableRow[]): KisExecutions =>
  Object.defineProperties(found, { leftAt: { value: leftAt }, unreadable: { value: unreadable } })

const sortTime = ({ orderedAt, day }: KisExecution): number => orderedAt ?? kstInstant(day, '000000')

interface Part {
  readonly name: 'executions' | 'executionsOlder'
  readonly from: string
  readonly to: string
}

/** Two calls share the calendar: one reaches back to the first day of the month three months ago, the other covers the rest. */
export function splitAtThreeMonths({ from, to }: { from: string; to: string }, today: string): Part[] {
  const boundary = monthStart(today, 3)
  const parts: Part[] = []
  if (from < boundary) {
    parts.push({ name: 'executionsOlder', from, to: to < boundary ? to : dayBefore(boundary) })
  }
  if (to >= boundary) parts.push({ name: 'executions', from: from < boundary ? boundary : from, to })
  return parts
}

interface ReadPart {
  readonly rows: readonly RawRow[]
  readonly leftAt: number
}

/** At once; where the broker refuses to list the days together, one by one. */
async function readDays(kis: RestContext, part: Part, query: ExecutionsQuery): Promise<ReadPart> {
  if (part.from === part.to) return readDay(kis, part, query)
  try {
    return await readPart(kis, part, query)
  } catch (error) {
    if (!(error instanceof DaysRefusedError)) throw error
    const days = daysToAsk(part, query.isOpenDay ?? kis.isOpenDay)
    if (days.length > MAX_SINGLE_DAYS) throw error
    const rows: RawRow[] = []
    let leftAt: number | null = null
    for (const day of days) {
      const read = await readDay(kis, { ...part, from: day, to: day }, query)
      rows.push(...read.rows)
      leftAt ??= read.leftAt
    }
    return { rows, leftAt: leftAt ?? kis.now() }
  }
}

/**
 * The first and the last day whatever the calendar says, for it may be wrong: the caller named them because an order of his
 * may be there.
 */
function daysToAsk({ from, to }: Part, isOpenDay: (day: string) => boolean): string[] {
  const days: string[] = []
  for (let day = from; day <= to; day = dayAfter(day)) if (day === from || day === to || isOpenDay(day)) days.push(day)
  return days
}

/** A day that is refused on its own has no orders if the exchange was closed; of an open one nothing is known then. */
async function readDay(kis: RestContext, part: Part, query: ExecutionsQuery): Promise<ReadPart> {
  const leftAt = kis.now()
  try {
    return await readPart(kis, part, query)
  } catch (error) {
    const isOpenDay = query.isOpenDay ?? kis.isOpenDay
    if (!(error instanceof DaysRefusedError) || isOpenDay(part.from)) throw error
    return { rows: [], leftAt }
  }
}

async function readPart(kis: RestContext, part: Part, query: ExecutionsQuery): Promise<ReadPart> {
  const params = {
    ...kis.account,
    INQR_STRT_DT: part.from,
    INQR_END_DT: part.to,
    SLL_BUY_DVSN_CD: '00',
    // Newest first: where the list changes while it is read, what was seen of it is what changes. An order placed between two
    // pages shifts rows to the next page, which shows some twice and hides none.
    INQR_DVSN: '00',
    PDNO: query.code ?? '',
    CCLD_DVSN: query.unfilledOnly === true ? FILLED_CODE.unfilled : FILLED_CODE.all,
    ORD_GNO_BRNO: '',
    ODNO: '',
    INQR_DVSN_3: '00',
    INQR_DVSN_1: '',
    // The default shows KRX orders only and hides what rests on NXT.
    EXCG_ID_DVSN_CD: kis.env === 'paper' ? 'KRX' : 'ALL',
  }
  const paging: Paging<RawRow> = {
    query: { priority: 'ledger', kind: 'list' },
    rowsOf: (reply) => parse(ReplyBody, reply, 'orders and fills').output1,
    fullPage: PAGE_ROWS.executions[kis.env],
  }
  // Orders leave the list of what is open: one that fills between its two sides may be on neither.
  if (query.unfilledOnly === true) return readPages(kis.calls, part.name, params, paging)
  return readChangingList(kis, { name: part.name, params, paging })
}
