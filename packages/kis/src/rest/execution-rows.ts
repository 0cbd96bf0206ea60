import { z } from 'zod'
import type { KisExecution } from '../api.ts'
import type { KisUnreadableRow } from '../api-lists.ts'
import { kstInstant } from '../kst.ts'
import { SIDE_CODE } from '../wire/codes.ts'
import type { RestContext } from './context.ts'
import {
  calendarDay,
  odno,
  originalNumber,
  readField,
  readRow,
  stockCode,
  text,
  venue,
  whole,
  wholeOrZero,
  type RawRow,
} from './fields.ts'

/** With the number it names the order: a row without a day can be booked on none. */
const orderDay = calendarDay.refine((day) => day !== '', 'is blank')

const Row = z.object({
  ord_dt: orderDay,
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

interface ReadRows {
  readonly rows: readonly KisExecution[]
  readonly unreadable: readonly KisUnreadableRow[]
}

/** Each order once, and the rows that cannot be read beside them: one odd row of a person's must not hide all others. */
export function readExecutionRows(kis: RestContext, raws: readonly RawRow[]): ReadRows {
  const rows: KisExecution[] = []
  const unreadable: KisUnreadableRow[] = []
  for (const raw of raws) {
    const read = readRow(Row, raw)
    if ('row' in read) rows.push(toExecution(kis, read.row))
    else unreadable.push(unreadableRow(kis, raw, read.what))
  }
  return { rows: eachOrderOnce(kis, rows), unreadable }
}

function unreadableRow(kis: RestContext, raw: RawRow, what: string): KisUnreadableRow {
  const row: KisUnreadableRow = {
    day: readField(orderDay, raw['ord_dt']),
    odno: readField(odno, raw['odno']),
    originalOdno: readField(originalNumber, raw['orgn_odno']),
    code: readField(stockCode, raw['pdno']),
    what,
  }
  const name = `order ${row.odno ?? 'without a number'} of ${row.day ?? 'no day'}, stock ${row.code ?? 'unknown'}`
  kis.oddities.report(`orders and fills: ${name} cannot be read: ${what}`)
  return row
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

/** A real account's list had every order twice over its pages (a public project: 32 rows, 16 orders). */
function eachOrderOnce(kis: RestContext, rows: readonly KisExecution[]): KisExecution[] {
  const found = new Map<string, KisExecution[]>()
  for (const row of rows) {
    const key = `${row.day} ${row.orgno} ${row.odno}`
    const known = found.get(key) ?? []
    const at = known.findIndex((one) => isSameOrder(one, row))
    // Nothing of one order becomes nothing of another: both stay, and whoever books them takes the one that is like its order.
    if (at < 0 && known.length > 0)
      kis.oddities.report(`orders and fills: number ${row.odno} of ${row.day} is two orders`)
    found.set(key, at < 0 ? [...known, row] : known.with(at, newerOf(known[at] ?? row, row)))
  }
  return [...found.values()].flat()
}

const isSameOrder = (one: KisExecution, other: KisExecution): boolean =>
  one.code === other.code &&
  one.side === other.side &&
  one.count === other.count &&
  one.originalOdno === other.originalOdno

/**
 * Of two states of one order. Fills only grow and a remainder only shrinks, so the one that is further is the newer, on
 * whichever page it stands: a fill between two pages is the usual cause, and one server behind another the unusual one.
 */
function newerOf(earlier: KisExecution, later: KisExecution): KisExecution {
  if (earlier.filledCount !== later.filledCount) return earlier.filledCount > later.filledCount ? earlier : later
  return earlier.remainingCount < later.remainingCount ? earlier : later
}
