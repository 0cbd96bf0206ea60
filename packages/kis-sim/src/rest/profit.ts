import type { DayResult } from '../ledger/account.ts'
import { field, ledgerReply, type Reply, type Call } from './call.ts'
import { decimals, percent, whole } from './numbers.ts'
import { pageOf, type Sorting } from './paging.ts'

const ROWS = 100

/** Realised gain after costs, as the broker's screens show it. */
const gain = (r: DayResult): number => Math.round(r.sellAmount - r.soldCost) - (r.sellCount > 0 ? r.fee + r.tax : 0)

const sortingOf = (call: Call): Sorting => (field(call, 'SORT_DVSN') === '01' ? 'ascending' : 'descending')

function results(call: Call): DayResult[] {
  const [from, to, code] = [field(call, 'INQR_STRT_DT'), field(call, 'INQR_END_DT'), field(call, 'PDNO')]
  const rows = [...call.account.results.values()].filter(
    (r) => r.day >= from && r.day <= to && (code === '' || r.code === code.slice(-6)),
  )
  const direction = sortingOf(call) === 'ascending' ? 1 : -1
  return rows.sort((a, b) => direction * (`${a.day}${a.code}` < `${b.day}${b.code}` ? -1 : 1))
}

/** inquire-period-trade-profit: one row per stock and day. */
export function periodTradeProfit(call: Call): Reply {
  const rows = results(call).filter((r) => r.sellCount > 0)
  const page = pageOf(call, rows, { size: ROWS, sorting: sortingOf(call), key: (r) => `${r.day}${r.code}` })
  const output1 = page.rows.map((r) => ({
    trad_dt: r.day,
    pdno: r.code.padStart(12, '0'),
    prdt_name: call.broker.exchange.issues.get(r.code)?.listing.name ?? r.code,
    trad_dvsn_name: '현금',
    loan_dt: '',
    hldg_qty: whole(call.account.truth.count(r.code)),
    pchs_unpr: whole(r.soldCost / r.sellCount),
    buy_qty: whole(r.buyCount),
    buy_amt: whole(r.buyAmount),
    sll_pric: whole(r.sellAmount / r.sellCount),
    sll_qty: whole(r.sellCount),
    sll_amt: whole(r.sellAmount),
    rlzt_pfls: whole(gain(r)),
    pfls_rt: decimals(percent(gain(r), r.soldCost), 8),
    fee: whole(r.fee),
    tl_tax: whole(r.tax),
    loan_int: '0',
  }))
  const output2 = {
    ...totals(rows, 'buyqty_smtl'),
    tot_pftrt: decimals(
      percent(
        sum(rows, gain),
        sum(rows, (r) => r.soldCost),
      ),
      8,
    ),
  }
  return ledgerReply(call, { ...page.context, output1, output2 }, { empty: rows.length === 0, more: page.more })
}

/** inquire-period-profit: one row per day. */
export function periodProfit(call: Call): Reply {
  const rows = results(call)
  const byDay = Map.groupBy(rows, (r) => r.day)
  const days = [...byDay].map(([day, list]) => ({ day, list }))
  const page = pageOf(call, days, { size: ROWS, sorting: sortingOf(call), key: ({ day }) => day })
  const output1 = page.rows.map(({ day, list }) => ({
    trad_dt: day,
    buy_amt: whole(sum(list, (r) => r.buyAmount)),
    sll_amt: whole(sum(list, (r) => r.sellAmount)),
    rlzt_pfls: whole(sum(list, gain)),
    fee: whole(sum(list, (r) => r.fee)),
    loan_int: '0',
    tl_tax: whole(sum(list, (r) => r.tax)),
    pfls_rt: decimals(
      percent(
        sum(list, gain),
        sum(list, (r) => r.soldCost),
      ),
      8,
    ),
    sll_qty1: whole(sum(list, (r) => r.sellCount)),
    buy_qty1: whole(sum(list, (r) => r.buyCount)),
  }))
  return ledgerReply(
    call,
    { ...page.context, output1, output2: totals(rows, 'buy_qty_smtl') },
    { empty: rows.length === 0, more: page.more },
  )
}

const sum = (rows: readonly DayResult[], of: (r: DayResult) => number): number =>
  rows.reduce((total, r) => total + of(r), 0)

/** Sums of the period; the name of the bought count differs between the two calls. */
function totals(rows: readonly DayResult[], boughtCount: 'buyqty_smtl' | 'buy_qty_smtl'): Record<string, string> {
  const buys = rows.filter((r) => r.sellCount === 0)
  const sells = rows.filter((r) => r.sellCount > 0)
  const all = (of: (r: DayResult) => number): string => whole(sum(rows, of))
  return {
    sll_qty_smtl: all((r) => r.sellCount),
    sll_tr_amt_smtl: all((r) => r.sellAmount),
    sll_fee_smtl: whole(sum(sells, (r) => r.fee)),
    sll_tltx_smtl: all((r) => r.tax),
    sll_excc_amt_smtl: all((r) => r.sellAmount - (r.sellCount > 0 ? r.fee + r.tax : 0)),
    [boughtCount]: all((r) => r.buyCount),
    buy_tr_amt_smtl: all((r) => r.buyAmount),
    buy_fee_smtl: whole(sum(buys, (r) => r.fee)),
    buy_tax_smtl: '0',
    buy_excc_amt_smtl: all((r) => r.buyAmount + (r.sellCount === 0 ? r.fee : 0)),
    tot_qty: all((r) => r.buyCount + r.sellCount),
    tot_tr_amt: all((r) => r.buyAmount + r.sellAmount),
    tot_fee: all((r) => r.fee),
    tot_tltx: all((r) => r.tax),
    tot_excc_amt: all((r) => r.sellAmount - r.buyAmount - r.fee - r.tax),
    tot_rlzt_pfls: whole(sum(rows, gain)),
    loan_int: '0',
  }
}
