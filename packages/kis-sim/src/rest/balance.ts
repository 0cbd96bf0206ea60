import { addDays, kstDay } from '@digger/core'
import { PAGE_ROWS } from '@digger/kis'
import type { TapeVenue } from '../exchange/issue.ts'
import type { Holdings, Position } from '../ledger/holdings.ts'
import type { Broker } from '../broker/broker.ts'
import { badField, field, ledgerReply, type Reply, type Call } from './call.ts'
import { decimals, percent, whole } from './numbers.ts'
import { pageOf } from './paging.ts'

/** AFHR_FLPR_YN since 2026-09-14: which venue's last price values the holdings. */
const PRICED_BY: Readonly<Record<string, TapeVenue>> = { N: 'KRX', X: 'NXT', Y: 'UN' }

export const priceOf = (broker: Broker, code: string, venue: TapeVenue): number =>
  broker.exchange.issues.get(code)?.shownLast(venue) ?? 0

const nameOf = (broker: Broker, code: string): string => broker.exchange.issues.get(code)?.listing.name ?? code

/** The balance as the broker shows it now: behind the truth by its lag. */
function shownHoldings(call: Call): Holdings {
  call.account.settleShown(call.broker.clock.now())
  return call.account.shown
}

/** INQR_DVSN of inquire-balance: one row an issue; 01 is one row a loan date, the same for shares bought with cash. */
const BY_ISSUE = '02'

export const balance = (call: Call): Reply =>
  field(call, 'INQR_DVSN') === BY_ISSUE && call.broker.assumed.decide('balanceByIssue') === 'refused'
    ? badField('INQR_DVSN')
    : balanceWith(call, {})

/** The reply with `more` fields in its summary. */
function balanceWith(call: Call, more: Readonly<Record<string, string>>): Reply {
  const { account, broker } = call
  const holdings = shownHoldings(call)
  const venue = PRICED_BY[field(call, 'AFHR_FLPR_YN')] ?? 'KRX'
  const positions = [...holdings.positions.values()].sort((a, b) => (a.code < b.code ? -1 : 1))
  const size = PAGE_ROWS.balance[account.env]
  const page = pageOf(call, positions, { size, sorting: 'ascending', key: (position) => position.code })
  const payload = {
    ...page.context,
    output1: page.rows.map((position) => row(call, position, priceOf(broker, position.code, venue))),
    output2: [{ ...summary(call, holdings, venue), ...more }],
  }
  return ledgerReply(call, payload, { empty: positions.length === 0, more: page.more })
}

/** inquire-balance-rlz-pl: the balance with today's realised gain. */
export function balanceRealised(call: Call): Reply {
  const holdings = shownHoldings(call)
  const today = [...call.account.results.values()].filter((result) => result.day === call.broker.ledger.day)
  const costs = field(call, 'COST_ICLD_YN') === 'Y'
  const gain = today.reduce((sum, r) => sum + r.sellAmount - r.soldCost - (costs ? r.fee + r.tax : 0), 0)
  const sold = today.reduce((sum, r) => sum + r.soldCost, 0)
  const held = sums(call.broker, holdings, 'KRX')
  return balanceWith(call, {
    rlzt_pfls: whole(gain),
    rlzt_erng_rt: decimals(percent(gain, sold), 8),
    real_evlu_pfls: whole(held.value - held.cost),
    real_evlu_pfls_erng_rt: decimals(percent(held.value - held.cost, held.cost), 8),
  })
}

function row(call: Call, position: Position, price: number): Record<string, string> {
  const { count, cost, today, before, code } = position
  const value = price * count
  const gain = value - Math.round(cost)
  const base = call.broker.exchange.issues.get(code)?.shownBase ?? price
  return {
    pdno: code,
    prdt_name: nameOf(call.broker, code),
    trad_dvsn_name: '현금',
    bfdy_buy_qty: whole(before.buyCount),
    bfdy_sll_qty: whole(before.sellCount),
    thdt_buyqty: whole(today.buyCount),
    thdt_sll_qty: whole(today.sellCount),
    hldg_qty: whole(count),
    ord_psbl_qty: whole(Math.max(0, count - call.account.locked(code))),
    pchs_avg_pric: decimals(count === 0 ? 0 : cost / count, 4),
    pchs_amt: whole(cost),
    prpr: whole(price),
    evlu_amt: whole(value),
    evlu_pfls_amt: whole(gain),
    evlu_pfls_rt: decimals(percent(gain, cost), 2),
    evlu_erng_rt: decimals(percent(gain, cost), 8),
    loan_dt: '',
    loan_amt: '0',
    stln_slng_chgs: '0',
    expd_dt: '',
    fltt_rt: decimals(percent(price - base, base), 8),
    bfdy_cprs_icdc: whole(price - base),
    item_mgna_rt_name: `${call.account.spec.marginPercent ?? 100}%`,
    grta_rt_name: '',
    sbst_pric: '0',
    stck_loan_unpr: '0.0000',
  }
}

function sums(broker: Broker, holdings: Holdings, venue: TapeVenue): { cost: number; value: number } {
  let [cost, value] = [0, 0]
  for (const position of holdings.positions.values()) {
    cost += Math.round(position.cost)
    value += priceOf(broker, position.code, venue) * position.count
  }
  return { cost, value }
}

function summary(call: Call, holdings: Holdings, venue: TapeVenue): Record<string, string> {
  const { cost, value } = sums(call.broker, holdings, venue)
  const cash = holdings.cash()
  const total = value + cash
  return {
    dnca_tot_amt: whole(holdings.deposit),
    nxdy_excc_amt: whole(holdings.cash(tradingDayAfter(call.broker))),
    prvs_rcdl_excc_amt: whole(cash),
    cma_evlu_amt: '0',
    bfdy_buy_amt: whole(holdings.before.buyAmount),
    thdt_buy_amt: whole(holdings.today.buyAmount),
    nxdy_auto_rdpt_amt: '0',
    bfdy_sll_amt: whole(holdings.before.sellAmount),
    thdt_sll_amt: whole(holdings.today.sellAmount),
    d2_auto_rdpt_amt: '0',
    bfdy_tlex_amt: whole(holdings.before.costs),
    thdt_tlex_amt: whole(holdings.today.costs),
    tot_loan_amt: '0',
    scts_evlu_amt: whole(value),
    tot_evlu_amt: whole(total),
    nass_amt: whole(total),
    fncg_gld_auto_rdpt_yn: '',
    pchs_amt_smtl_amt: whole(cost),
    evlu_amt_smtl_amt: whole(value),
    evlu_pfls_smtl_amt: whole(value - cost),
    tot_stln_slng_chgs: '0',
    bfdy_tot_asst_evlu_amt: whole(total),
    asst_icdc_amt: '0',
    asst_icdc_erng_rt: '0.00000000',
  }
}

function tradingDayAfter(broker: Broker): string {
  let day = addDays(kstDay(broker.clock.now()), 1)
  while (!broker.hours.isOpenDay(day)) day = addDays(day, 1)
  return day
}

/** Assets in twenty rows of fixed order: 1 stocks, 18 cash, 20 everything. */
export function accountBalance(call: Call): Reply {
  const holdings = shownHoldings(call)
  const { cost, value } = sums(call.broker, holdings, 'KRX')
  const cash = holdings.cash()
  const line = (bought: number, worth: number) => ({
    pchs_amt: whole(bought),
    evlu_amt: whole(worth),
    evlu_pfls_amt: whole(worth - bought),
    crdt_lnd_amt: '0',
    real_nass_amt: whole(worth),
    whol_weit_rt: decimals(percent(worth, value + cash), 2),
  })
  const output1 = Array.from({ length: 20 }, (_, i) => {
    if (i === 0) return line(cost, value)
    if (i === 17) return line(cash, cash)
    return i === 19 ? line(cost + cash, value + cash) : line(0, 0)
  })
  const output2 = {
    pchs_amt_smtl: whole(cost + cash),
    nass_tot_amt: whole(value + cash),
    loan_amt_smtl: '0',
    evlu_pfls_amt_smtl: whole(value - cost),
    evlu_amt_smtl: whole(value + cash),
    tot_asst_amt: whole(value + cash),
    tot_lnda_tot_ulst_lnda: '0',
    cma_auto_loan_amt: '0',
    tot_mgln_amt: '0',
    stln_evlu_amt: '0',
    crdt_fncg_amt: '0',
    ocl_apl_loan_amt: '0',
    pldg_stup_amt: '0',
    frcr_evlu_tota: '0',
    tot_dncl_amt: whole(cash),
    cma_evlu_amt: '0',
    dncl_amt: whole(holdings.deposit),
    tot_sbst_amt: '0',
    thdt_rcvb_amt: '0',
    ovrs_stck_evlu_amt1: '0',
    ovrs_bond_evlu_amt: '0',
    mmf_cma_mgge_loan_amt: '0',
    sbsc_dncl_amt: '0',
    pbst_sbsc_fnds_loan_use_amt: '0',
    etpr_crdt_grnt_loan_amt: '0',
  }
  return ledgerReply(call, { output1, output2 })
}
