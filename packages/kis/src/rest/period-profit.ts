import { z } from 'zod'
import type { KisPeriodProfit } from '../api.ts'
import { readPages } from '../transport/pages.ts'
import type { RestContext } from './context.ts'
import { parse, single, nonBlank, wholeOrZero } from './fields.ts'

const Row = z.object({
  trad_dt: nonBlank,
  buy_amt: wholeOrZero,
  sll_amt: wholeOrZero,
  rlzt_pfls: wholeOrZero,
  fee: wholeOrZero,
  tl_tax: wholeOrZero,
})
const Rows = z.object({ output1: z.array(Row) })
const Sums = z.object({
  output2: single(z.object({ tot_rlzt_pfls: wholeOrZero, tot_fee: wholeOrZero, tot_tltx: wholeOrZero })),
})

/** Realised gain, fees and tax per day, oldest first. */
export async function getPeriodProfit(kis: RestContext, from: string, to: string): Promise<KisPeriodProfit> {
  const params = {
    ...kis.account,
    INQR_STRT_DT: from,
    INQR_END_DT: to,
    SORT_DVSN: '01',
    INQR_DVSN: '00',
    CBLC_DVSN: '00',
    PDNO: '',
  }
  const { rows, last } = await readPages(kis.calls, 'periodProfit', params, {
    query: { priority: 'ledger' },
    rowsOf: (reply) => parse(Rows, reply, 'period profit').output1,
    fullPage: null,
  })
  const { output2 } = parse(Sums, last, 'period profit')
  const days = rows.map((row) => ({
    day: row.trad_dt,
    buyAmount: row.buy_amt,
    sellAmount: row.sll_amt,
    gainAmount: row.rlzt_pfls,
    fee: row.fee,
    tax: row.tl_tax,
  }))
  return {
    days: days.sort((a, b) => (a.day < b.day ? -1 : 1)),
    gainAmount: output2.tot_rlzt_pfls,
    fee: output2.tot_fee,
    tax: output2.tot_tltx,
  }
}
