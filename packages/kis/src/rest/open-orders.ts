import { z } from 'zod'
import type { KisExecution } from '../api.ts'
import { ProtocolError } from '../errors.ts'
import { kstDay, kstInstant } from '../kst.ts'
import { readPages } from '../transport/pages.ts'
import { SIDE_CODE } from '../wire/codes.ts'
import { PAGE_ROWS } from '../wire/endpoints.ts'
import type { RestContext } from './context.ts'
import { getExecutions } from './executions.ts'
import { odno, originalNumber, parse, stockCode, text, venue, whole, wholeOrZero } from './fields.ts'

const Row = z.object({
  ord_gno_brno: text,
  odno,
  orgn_odno: originalNumber,
  pdno: stockCode,
  prdt_name: text,
  sll_buy_dvsn_cd: z.enum([SIDE_CODE.sell, SIDE_CODE.buy]),
  ord_qty: whole,
  ord_unpr: wholeOrZero,
  ord_tmd: text,
  tot_ccld_qty: wholeOrZero,
  tot_ccld_amt: wholeOrZero,
  psbl_qty: whole,
  excg_id_dvsn_cd: venue,
})
const ReplyBody = z.object({ output: z.array(Row) })

/** Orders with shares still to fill. Paper has no such call: there it is today's unfilled rows of the ledger. */
export async function getOpenOrders(kis: RestContext): Promise<readonly KisExecution[]> {
  const today = kstDay(kis.now())
  if (kis.env === 'paper') {
    const rows = await getExecutions(kis, { from: today, to: today, unfilledOnly: true })
    const odd = rows.unreadable?.[0]
    if (odd !== undefined) throw new ProtocolError(`open orders: ${odd.what}`)
    return rows.filter((row) => row.remainingCount > 0)
  }
  const params = { ...kis.account, INQR_DVSN_1: '0', INQR_DVSN_2: '0' }
  const { rows } = await readPages(kis.calls, 'openOrders', params, {
    query: { priority: 'ledger', kind: 'list' },
    rowsOf: (reply) => parse(ReplyBody, reply, 'open orders').output,
    fullPage: PAGE_ROWS.openOrders[kis.env],
  })
  return rows.filter((row) => row.psbl_qty > 0).map((row) => toExecution(row, today, kis.now()))
}

function toExecution(row: z.output<typeof Row>, today: string, now: number): KisExecution {
  const at = kstInstant(today, row.ord_tmd.padStart(6, '0'))
  return {
    // No order outlives its day, so an open one is of today.
    day: today,
    odno: row.odno,
    orgno: row.ord_gno_brno,
    originalOdno: row.orgn_odno,
    code: row.pdno,
    name: row.prdt_name,
    side: row.sll_buy_dvsn_cd === SIDE_CODE.buy ? 'buy' : 'sell',
    venue: row.excg_id_dvsn_cd,
    count: row.ord_qty,
    price: row.ord_unpr,
    orderedAt: Number.isNaN(at) ? now : at,
    filledCount: row.tot_ccld_qty,
    filledAmount: row.tot_ccld_amt,
    remainingCount: row.psbl_qty,
    rejectedCount: 0,
    cancelled: false,
  }
}
