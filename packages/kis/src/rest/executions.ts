import { z } from 'zod'
import type { KisExecution, KisExecutions } from '../api.ts'
import { dayBefore, kstDay, kstInstant, monthStart } from '../kst.ts'
import { KisError } from '../errors.ts'
import { readPages } from '../transport/pages.ts'
import { FILLED_CODE, SIDE_CODE } from '../wire/codes.ts'
import { PAGE_ROWS } from '../wire/endpoints.ts'
import type { RestContext } from './context.ts'
import { calendarDay, odno, originalNumber, parse, stockCode, text, venue, whole, wholeOrZero } from './fields.ts'

const Row = z.object({
  // With the number it names the order: a row without a day can be booked on none.
  ord_dt: calendarDay.refine((day) => day !== '', 'is blank'),
  ord_tmd: text,
  ord_gno_brno: text,
  odno,
  orgn_odno: originalNumber,
  pdno: stockCode,
  prdt_name: text,
  sll_buy_dvsn_cd: z.enum([SIDE_CODE.sell, SIDE_CODE.buy]),
  ord_qty: whole,
  ord_unpr: wholeOrZero,
  tot_ccld_qty: whole,
  tot_ccld_amt: wholeOrZero,
  rmn_qty: whole,
  rjct_qty: wholeOrZero,
  cncl_yn: text,
  excg_id_dvsn_cd: venue,
})
const ReplyBody = z.object({ output1: z.array(Row) })

interface ExecutionsQuery {
  readonly from: string
  readonly to: string
  readonly code?: string
  readonly unfilledOnly?: boolean
}

/** Orders and fills of every venue, oldest first. */
export async function getExecutions(kis: RestContext, query: ExecutionsQuery): Promise<KisExecutions> {
  const parts = splitAtThreeMonths(query, kstDay(kis.now()))
  const found: KisExecution[] = []
  let leftAt: number | undefined
  for (const part of parts) {
    const read = await readPart(kis, part, query)
    found.push(...read.rows)
    leftAt ??= read.leftAt
  }
  found.sort((a, b) => sortTime(a) - sortTime(b) || (a.odno < b.odno ? -1 : 1))
  // Not enumerable: the list stays a list of executions to whoever copies or compares it.
  return Object.defineProperty(found, 'leftAt', { value: leftAt ?? kis.now() })
}

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

/** "조회일자를 확인하십시오": seen on ranges of days in two public projects, which then asked for single days. */
const BAD_DAYS = 'KIER2570'

const isBadDays = (error: unknown): boolean => error instanceof KisError && error.code === BAD_DAYS

/** The range at once; day by day where the broker refuses it, of which a day without trading has nothing to list. */
async function readPart(kis: RestContext, part: Part, query: ExecutionsQuery) {
  try {
    return await readDays(kis, part, query)
  } catch (error) {
    if (!isBadDays(error) || (part.from === part.to && kis.isOpenDay(part.from))) throw error
  }
  const rows: KisExecution[] = []
  let leftAt: number | undefined
  for (const day of daysOf(part)) {
    if (!kis.isOpenDay(day)) continue
    const read = await readDays(kis, { ...part, from: day, to: day }, query)
    rows.push(...read.rows)
    leftAt ??= read.leftAt
  }
  return { rows, leftAt: leftAt ?? kis.now() }
}

/** From the first to the last. */
function daysOf({ from, to }: Part): readonly string[] {
  const days: string[] = []
  for (let day = to; day >= from; day = dayBefore(day)) days.push(day)
  return days.toReversed()
}

async function readDays(kis: RestContext, part: Part, query: ExecutionsQuery) {
  const params = {
    ...kis.account,
    INQR_STRT_DT: part.from,
    INQR_END_DT: part.to,
    SLL_BUY_DVSN_CD: '00',
    // Oldest first: an order placed between two pages lands at the end instead of shifting rows across the page break.
    INQR_DVSN: '01',
    PDNO: query.code ?? '',
    CCLD_DVSN: query.unfilledOnly === true ? FILLED_CODE.unfilled : FILLED_CODE.all,
    ORD_GNO_BRNO: '',
    ODNO: '',
    INQR_DVSN_3: '00',
    INQR_DVSN_1: '',
    // The default shows KRX orders only and hides what rests on NXT.
    EXCG_ID_DVSN_CD: kis.env === 'paper' ? 'KRX' : 'ALL',
  }
  const { rows, leftAt } = await readPages(kis.calls, part.name, params, {
    query: { priority: 'ledger', kind: 'list' },
    rowsOf: (reply) => parse(ReplyBody, reply, 'orders and fills').output1,
    fullPage: PAGE_ROWS.executions[kis.env],
    keyOf: (row) => [row.ord_dt, row.ord_gno_brno, row.odno].join(' '),
  })
  return { rows: rows.map((row) => toExecution(kis, row)), leftAt }
}

/** Null, and reported, when it is no time of the day: fills are booked by day and number, so none has to wait for it. */
function orderedAtOf(kis: RestContext, { ord_dt, ord_tmd, odno: number }: z.output<typeof Row>): number | null {
  if (ord_tmd === '') return null
  const at = kstInstant(ord_dt, ord_tmd.padStart(6, '0'))
  if (!Number.isNaN(at)) return at
  kis.oddities.report(`orders and fills: order ${number} of ${ord_dt} at ${ord_tmd.slice(0, 20)}, no time of the day`)
  return null
}

function toExecution(kis: RestContext, row: z.output<typeof Row>): KisExecution {
  // A cancelled paper order was seen still listed with a remainder, so cncl_yn goes before the count.
  const remaining = row.cncl_yn === 'Y' ? 0 : Math.max(0, row.rmn_qty - row.rjct_qty)
  return {
    day: row.ord_dt,
    odno: row.odno,
    orgno: row.ord_gno_brno,
    originalOdno: row.orgn_odno,
    code: row.pdno,
    name: row.prdt_name,
    side: row.sll_buy_dvsn_cd === SIDE_CODE.buy ? 'buy' : 'sell',
    venue: row.excg_id_dvsn_cd,
    count: row.ord_qty,
    price: row.ord_unpr,
    orderedAt: orderedAtOf(kis, row),
    filledCount: row.tot_ccld_qty,
    filledAmount: row.tot_ccld_amt,
    remainingCount: remaining,
    rejectedCount: row.rjct_qty,
    // Nothing left, and neither filled nor rejected: the rest was cancelled, modified away or expired.
    cancelled: remaining === 0 && row.tot_ccld_qty + row.rjct_qty < row.ord_qty,
  }
}
