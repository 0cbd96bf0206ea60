import { z } from 'zod'
import type { KisBuyable } from '../api.ts'
import type { RestContext } from './context.ts'
import { parse, single, whole, wholeOrZero } from './fields.ts'

const ReplyBody = z.object({
  output: single(
    z.object({ ord_psbl_cash: whole, nrcvb_buy_amt: whole, nrcvb_buy_qty: whole, psbl_qty_calc_unpr: wholeOrZero }),
  ),
})

/**
 * Buyable with cash alone (`nrcvb_…`; `max_…` would run into unsettled credit). Asked as a market order without a price:
 * only that form applies the stock's margin rate, and it reckons with the upper limit price.
 */
export async function getBuyable(kis: RestContext, code: string, withinMs?: number): Promise<KisBuyable> {
  const params = {
    ...kis.account,
    PDNO: code,
    ORD_UNPR: '',
    ORD_DVSN: '01',
    CMA_EVLU_AMT_ICLD_YN: 'N',
    OVRS_ICLD_YN: 'N',
  }
  const reply = await kis.calls.query('buyable', params, { priority: 'ledger', withinMs })
  const { output } = parse(ReplyBody, reply, 'buyable')
  return {
    count: output.nrcvb_buy_qty,
    price: output.psbl_qty_calc_unpr,
    amount: output.nrcvb_buy_amt,
    cash: output.ord_psbl_cash,
    leftAt: reply.leftAt,
  }
}
