import { z } from 'zod'
import type { KisTradeProfit } from '../api.ts'
import { readPages } from '../transport/pages.ts'
import type { RestContext } from './context.ts'
import { nonBlank, parse, stockCode, text, wholeOrZero } from './fields.ts'

const Row = z.object({
  trad_dt: nonBlank,
  pdno: stockCode,
  prdt_name: text,
  sll_qty: wholeOrZero,
  buy_amt: wholeOrZero,
  sll_amt: wholeOrZero,
  rlzt_pfls: wholeOrZero,
  fee: wholeOrZero,
  tl_tax: wholeOrZero,
})
const Rows = z.object({ output1: z.array(Row) })

/**
 * Realised gain, fees and tax per day and stock, oldest first. Paper lacks the call: nothing is sent. A stock may have several rows
 * of one day, as of cash and of credit.
 */
export async function getPeriodTradeProfit(
  kis: RestContext,
  from: string,
  to: string,
): Promise<readonly KisTradeProfit[]> {
  const params = {
    ...kis.account,
    INQR_STRT_DT: from,
    INQR_END_DT: to,
    SORT_DVSN: '01',
    CBLC_DVSN: '00',
    PDNO: '',
  }
  const { rows } = await readPages(kis.calls, 'periodTradeProfit', params, {
    query: { priority: 'ledger' },
    rowsOf: (reply) => parse(Rows, reply, 'period trade profit').output1,
    fullPage: null,
  })
  const profits = rows.map((row) => ({
    day: row.trad_dt,
    code: row.pdno,
    name: row.prdt_name,
    soldCount: row.sll_qty,
    buyAmount: row.buy_amt,
    sellAmount: row.sll_amt,
    gainAmount: row.rlzt_pfls,
    fee: row.fee,
    tax: row.tl_tax,
  }))
  return profits.sort((a, b) => (a.day === b.day ? 0 : a.day < b.day ? -1 : 1))
}
