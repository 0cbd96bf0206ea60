import { ORD_DVSN } from '@digger/kis'
import { buyingPower } from '../exchange/admission.ts'
import { priceOf } from './balance.ts'
import { field, ledgerReply, type Reply, type Call } from './call.ts'
import { decimals, percent, whole } from './numbers.ts'

/** psbl-order: what can be bought. Without a price `00` counts nothing, `01` counts at the day's upper limit. */
export function buyable(call: Call): Reply {
  const { account, broker } = call
  const issue = broker.exchange.issues.get(field(call, 'PDNO'))
  const givenPrice = Number(field(call, 'ORD_UNPR') || 0)
  const limit = field(call, 'ORD_DVSN') === ORD_DVSN.limit
  const price = givenPrice > 0 ? givenPrice : limit || !issue ? 0 : issue.limits.upper
  const [cash, power] = [account.orderable(), buyingPower(account)]
  const count = (won: number): number => (price > 0 ? Math.floor(won / (price * (1 + account.brokerage))) : 0)
  const output = {
    ord_psbl_cash: whole(cash),
    ord_psbl_sbst: '0',
    ruse_psbl_amt: '0',
    fund_rpch_chgs: '0',
    psbl_qty_calc_unpr: whole(price),
    nrcvb_buy_amt: whole(cash),
    nrcvb_buy_qty: whole(count(cash)),
    max_buy_amt: whole(power),
    max_buy_qty: whole(count(power)),
    cma_evlu_amt: '0',
    ovrs_re_use_amt_wcrc: '0',
    ord_psbl_frcr_amt_wcrc: '0',
  }
  return ledgerReply(call, { output })
}

/** psbl-sell: how many shares of one issue are free to sell. */
export function sellable(call: Call): Reply {
  const { account, broker } = call
  const code = field(call, 'PDNO')
  const position = account.truth.positions.get(code)
  const [count, cost] = [position?.count ?? 0, position?.cost ?? 0]
  const price = priceOf(broker, code, 'KRX')
  const gain = price * count - Math.round(cost)
  const output = {
    pdno: code,
    prdt_name: broker.exchange.issues.get(code)?.listing.name ?? '',
    buy_qty: whole(position?.today.buyCount ?? 0),
    sll_qty: whole(position?.today.sellCount ?? 0),
    cblc_qty: whole(count),
    nsvg_qty: '0',
    ord_psbl_qty: whole(Math.max(0, count - account.locked(code))),
    pchs_avg_pric: decimals(count === 0 ? 0 : cost / count, 4),
    pchs_amt: whole(cost),
    now_pric: whole(price),
    evlu_amt: whole(price * count),
    evlu_pfls_amt: whole(gain),
    evlu_pfls_rt: decimals(percent(gain, cost), 2),
  }
  return ledgerReply(call, { output }, { empty: count === 0 })
}
