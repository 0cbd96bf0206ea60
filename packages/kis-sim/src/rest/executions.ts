import { DAY_MS, kstDay, kstMidnight, kstTime, monthRange } from '@digger/core'
import { FILLED_CODE, PAGE_ROWS, SIDE_CODE } from '@digger/kis'
import { DIVISIONS } from '../exchange/divisions.ts'
import type { SimOrder } from '../ledger/account.ts'
import { refusedDays } from './day-ranges.ts'
import { field, ledgerReply, type Reply, type Call } from './call.ts'
import { decimals, whole } from './numbers.ts'
import { BRANCH } from './orders.ts'
import { orderPage } from './order-pages.ts'
import type { Sorting } from './paging.ts'

const NO_ORDER = '0000000000'

/** daily-ccld: one row per order, and rows of their own for modifications and cancellations. */
export function executions(call: Call): Reply {
  const { broker, account } = call
  const refused = refusedDays(call)
  if (refused) return refused
  const now = broker.clock.now()
  const matches = filter(call)
  const rows = account.orders.filter((order) => broker.visibility.visible(order, now) && matches(order))
  const sorting: Sorting = field(call, 'INQR_DVSN') === '01' ? 'ascending' : 'descending'
  if (sorting === 'descending') rows.reverse()
  const size = broker.rowsPerPage ?? PAGE_ROWS.executions[account.env]
  const twice = rows.length > 0 && broker.assumed.decide('rowsTwice')
  const page = orderPage(call, rows, { size, sorting, key: keyOf, twice })
  if ('status' in page) return page
  const payload = { ...page.context, output1: page.rows.map((order) => row(call, order)), output2: totals(rows) }
  return ledgerReply(call, payload, { empty: rows.length === 0, more: page.more })
}

const keyOf = ({ day, odno }: SimOrder): string => `${day}${odno}`

function filter(call: Call): (order: SimOrder) => boolean {
  const [from, to] = [field(call, 'INQR_STRT_DT'), field(call, 'INQR_END_DT')]
  const [side, filled] = [field(call, 'SLL_BUY_DVSN_CD'), field(call, 'CCLD_DVSN')]
  const [code, odno] = [field(call, 'PDNO'), field(call, 'ODNO')]
  const venue = call.old ? 'KRX' : field(call, 'EXCG_ID_DVSN_CD') || 'KRX'
  // The recent query reaches back to the first day of the month three months ago, the other one covers what is older.
  const border = monthRange(kstDay(call.broker.clock.now()), -3).from
  const older = call.name === 'executionsOlder'
  return (order) =>
    order.day >= from &&
    order.day <= to &&
    order.day < border === older &&
    (code === '' || order.code === code) &&
    (odno === '' || Number(order.odno) === Number(odno)) &&
    (side === '' || side === '00' || SIDE_CODE[order.side] === side) &&
    (venue === 'ALL' || order.venue === venue) &&
    (filled !== FILLED_CODE.filled || order.filledCount > 0) &&
    (filled !== FILLED_CODE.unfilled || order.remaining > 0)
}

function row(call: Call, order: SimOrder): Record<string, string> {
  const { assumed, exchange } = call.broker
  const number = (odno: string): string =>
    assumed.decide('queryNumbers') === 'zeros' ? odno : String(Number(odno)).padStart(10)
  const none = (): string => (assumed.decide('noOriginal') === 'zeros' ? NO_ORDER : '')
  const { filledCount, filledAmount } = order
  const cancelled = shownAsCancelled(call, order)
  const expired = shownExpiry(call, order)
  return {
    ord_dt: order.day,
    ord_gno_brno: BRANCH[call.account.env],
    odno: number(order.odno),
    orgn_odno: order.original === null ? none() : number(order.original),
    ord_dvsn_name: DIVISIONS.get(order.division)?.name ?? '',
    sll_buy_dvsn_cd: SIDE_CODE[order.side],
    sll_buy_dvsn_cd_name: sideName(order),
    pdno: order.code,
    prdt_name: exchange.issue(order.code).listing.name,
    ord_qty: whole(order.count),
    ord_unpr: whole(shownPrice(call, order)),
    ord_tmd: kstTime(order.at),
    tot_ccld_qty: whole(filledCount),
    avg_prvs: filledCount === 0 ? '0' : whole(filledAmount / filledCount),
    cncl_yn: order.change === null && order.cancelledCount + expired.cancelled > 0 ? 'Y' : 'N',
    tot_ccld_amt: whole(filledAmount),
    loan_dt: '',
    // Seen on orders of programs alone; what stands there of others is not known.
    ordr_empno: order.byPhone ? '' : 'OpnAPI',
    ord_dvsn_cd: order.division,
    cnc_cfrm_qty: whole(cancelled + expired.cancelled),
    cncl_cfrm_qty: whole(cancelled + expired.cancelled),
    rmn_qty: whole(order.remaining + expired.remaining),
    rjct_qty: whole(order.rejectedCount + expired.rejected),
    ccld_cndt_name: { day: '없음', ioc: 'IOC', fok: 'FOK' }[DIVISIONS.get(order.division)?.timeInForce ?? 'day'],
    inqr_ip_addr: '127.0.0.1',
    cpbc_ordp_ord_rcit_dvsn_cd: '',
    cpbc_ordp_infm_mthd_dvsn_cd: '',
    infm_tmd: filledCount > 0 || order.change !== null ? kstTime(order.at) : '',
    ctac_tlno: '',
    prdt_type_cd: '300',
    excg_dvsn_cd: '02',
    cpbc_ordp_mtrl_dvsn_cd: '',
    ord_orgno: '00000',
    rsvn_ord_end_dt: '',
    excg_id_dvsn_Cd: order.venue,
    stpm_cndt_pric: whole(order.trigger),
    stpm_efct_occr_dtmd: '',
  }
}

function shownPrice(call: Call, { price, change, filledCount, filledAmount }: SimOrder): number {
  const isUnpriced = price === 0 && change === null && filledCount > 0
  return isUnpriced && call.broker.assumed.decide('unpricedShownAt') === 'paidPrice'
    ? filledAmount / filledCount
    : price
}

function shownAsCancelled(call: Call, order: SimOrder): number {
  if (order.change !== 'cancel' && order.cancelledCount === 0) return 0
  const where = call.broker.assumed.decide('cancelledShownOn')
  if (order.change === 'cancel') return where === 'original' ? 0 : order.count
  return where === 'change' ? 0 : order.cancelledCount
}

/** In which columns the expired shares stand. */
function shownExpiry({ broker }: Call, { day, expiredCount, expiredAt }: SimOrder) {
  const none = { rejected: 0, cancelled: 0, remaining: 0 }
  if (expiredAt === null) return none
  const { assumed, clock } = broker
  const midnight = kstMidnight(day) + DAY_MS
  const from = { end: expiredAt, evening: Math.max(expiredAt, midnight - EVENING_MS), midnight }
  const isToday = clock.now() < midnight && assumed.answers.expiredShownAs !== 'remaining'
  const since = isToday ? from[assumed.decide('expiredShownFrom')] : 0
  const shownAs = clock.now() < since ? 'remaining' : assumed.decide('expiredShownAs')
  return shownAs === 'nothing' ? none : { ...none, [shownAs]: expiredCount }
}

/** The last session of the day ends this long before midnight, ms. */
const EVENING_MS = 4 * 3_600_000

function sideName({ side, change }: SimOrder): string {
  const suffix = change === null ? '' : change === 'modify' ? '정정' : '취소'
  return `현금${side === 'buy' ? '매수' : '매도'}${suffix}`
}

function totals(rows: readonly SimOrder[]): Record<string, string> {
  const sum = (of: (order: SimOrder) => number): number => rows.reduce((total, order) => total + of(order), 0)
  const [count, amount] = [sum((o) => o.filledCount), sum((o) => o.filledAmount)]
  return {
    tot_ord_qty: whole(sum((o) => (o.change === null ? o.count : 0))),
    tot_ccld_qty: whole(count),
    tot_ccld_amt: whole(amount),
    prsm_tlex_smtl: whole(sum((o) => o.fee + o.tax)),
    pchs_avg_pric: decimals(count === 0 ? 0 : amount / count, 4),
  }
}

/** Fields psbl-rvsecncl has in common with daily-ccld. */
const SHARED_FIELDS = [
  'ord_gno_brno',
  'odno',
  'orgn_odno',
  'ord_dvsn_name',
  'pdno',
  'prdt_name',
  'ord_qty',
  'ord_unpr',
  'ord_tmd',
  'tot_ccld_qty',
  'tot_ccld_amt',
]

/** psbl-rvsecncl: orders that can still be modified or cancelled. */
export function openOrders(call: Call): Reply {
  const side = { '1': 'sell', '2': 'buy' }[field(call, 'INQR_DVSN_2')]
  const rows = [...call.account.live]
    .filter((order) => side === undefined || order.side === side)
    .sort((a, b) => Number(a.odno) - Number(b.odno))
  const size = call.broker.rowsPerPage ?? PAGE_ROWS.openOrders[call.account.env]
  const page = orderPage(call, rows, { size, sorting: 'ascending', key: (order) => order.odno, twice: false })
  if ('status' in page) return page
  const output = page.rows.map((order) => {
    const all = row(call, order)
    const shared = SHARED_FIELDS.map((name) => [name, all[name]])
    return {
      ...Object.fromEntries(shared),
      rvse_cncl_dvsn_name: order.change === 'modify' ? '정정' : '',
      psbl_qty: whole(order.remaining),
      sll_buy_dvsn_cd: SIDE_CODE[order.side],
      ord_dvsn_cd: order.division,
      mgco_aptm_odno: '',
      excg_dvsn_cd: '02',
      excg_id_dvsn_cd: order.venue,
      excg_id_dvsn_name: order.venue,
      stpm_cndt_pric: whole(order.trigger),
      stpm_efct_occr_yn: 'N',
    }
  })
  return ledgerReply(call, { ...page.context, output }, { empty: rows.length === 0, more: page.more })
}
