import { DAY_MS, isDay, kstDay, kstMidnight, kstTime, monthRange } from '@digger/core'
import { FILLED_CODE, PAGE_ROWS, SIDE_CODE } from '@digger/kis'
import { DIVISIONS } from '../exchange/divisions.ts'
import type { SimOrder } from '../ledger/account.ts'
import { field, ledgerReply, type Reply, type Call } from './call.ts'
import { decimals, whole } from './numbers.ts'
import { BRANCH } from './orders.ts'
import { pageOf, type Sorting } from './paging.ts'

const NO_ORDER = '0000000000'

/** daily-ccld: one row per order, and rows of their own for modifications and cancellations. */
export function executions(call: Call): Reply {
  const { broker, account } = call
  if (refusesDays(call)) return BAD_DAYS
  const now = broker.clock.now()
  const matches = filter(call)
  const rows = account.orders.filter((order) => broker.visibility.visible(order, now) && matches(order))
  const sorting: Sorting = field(call, 'INQR_DVSN') === '01' ? 'ascending' : 'descending'
  if (sorting === 'descending') rows.reverse()
  if (hasChanged(call, rows)) return LIST_CHANGED
  const size = PAGE_ROWS.executions[account.env]
  const copies = broker.assumptions.rowsTwice ? [0, 1] : [0]
  const listed = copies.flatMap((copy) => rows.map((order) => ({ order, copy })))
  // The second time begins on a page of its own, however few the rows are.
  const rowsOnPage = copies.length > 1 ? Math.max(1, Math.min(size, rows.length)) : size
  const page = pageOf(call, listed, { size: rowsOnPage, sorting, key: (one) => keyOf(one, sorting) })
  const payload = {
    ...page.context,
    ctx_area_fk100: `${page.context.ctx_area_fk100.trimEnd()}${stateOf(rows)}^`.padEnd(CONTEXT_WIDTH),
    output1: page.rows.map(({ order }) => row(call, order)),
    output2: totals(rows),
  }
  return ledgerReply(call, payload, { empty: rows.length === 0, more: page.more })
}

const CONTEXT_WIDTH = 100

const keyOf = ({ order, copy }: { order: SimOrder; copy: number }, sorting: Sorting): string =>
  `${sorting === 'ascending' ? copy : 9 - copy}${order.day}${order.odno}`

const refusal = (rtCd: string, code: string, text: string): Reply => ({
  status: 200,
  body: { rt_cd: rtCd, msg_cd: code, msg1: text.padEnd(80) },
})
const BAD_DAYS = refusal('7', 'KIER2570', '조회일자를 확인하십시오.')
const LIST_CHANGED = refusal('1', 'SYDB0050', '조회이후에 자료가 변경되었습니다.(다시 조회하십시오)')

function refusesDays({ broker, params }: Call): boolean {
  const { dayRanges } = broker.assumptions
  const [from, to] = [field({ params }, 'INQR_STRT_DT'), field({ params }, 'INQR_END_DT')]
  if (dayRanges === 'answered') return false
  const isClosed = [from, to].some((day) => isDay(day) && !broker.hours.isOpenDay(day))
  return isClosed || (dayRanges === 'refused' && from < to)
}

/** What the list shows so far: it goes out with the first page and comes back with the question for the next. */
const stateOf = (rows: readonly SimOrder[]): string =>
  [rows.length, ...[...rows].map((order) => order.filledCount * 31 + order.remaining)]
    .reduce((sum, n) => (sum * 31 + n) % 1_000_003)
    .toString(36)

const hasChanged = (call: Call, rows: readonly SimOrder[]): boolean =>
  call.broker.assumptions.changedListBreaks &&
  call.next &&
  !field(call, 'CTX_AREA_FK100').endsWith(`^${stateOf(rows)}^`)

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
  const { assumptions, exchange } = call.broker
  const number = (odno: string): string =>
    assumptions.queryNumbers === 'zeros' ? odno : String(Number(odno)).padStart(10)
  const none = assumptions.noOriginal === 'zeros' ? NO_ORDER : ''
  const { filledCount, filledAmount } = order
  const cancelled = shownAsCancelled(call, order)
  const expired = shownExpiry(call, order)
  return {
    ord_dt: order.day,
    ord_gno_brno: BRANCH[call.account.env],
    odno: number(order.odno),
    orgn_odno: order.original === null ? none : number(order.original),
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
    ordr_empno: 'OpnAPI',
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

function shownPrice({ broker }: Call, { price, filledCount, filledAmount }: SimOrder): number {
  if (price > 0 || filledCount === 0 || broker.assumptions.unpricedShownAt === 'zero') return price
  return Math.round(filledAmount / filledCount)
}

function shownAsCancelled(call: Call, order: SimOrder): number {
  const where = call.broker.assumptions.cancelledShownOn
  if (order.change === 'cancel') return where === 'original' ? 0 : order.count
  return where === 'change' ? 0 : order.cancelledCount
}

/** In which columns the expired shares stand. */
function shownExpiry({ broker }: Call, { day, expiredCount, expiredAt }: SimOrder) {
  const none = { rejected: 0, cancelled: 0, remaining: 0 }
  if (expiredAt === null) return none
  const { expiredShownAs, expiredShownFrom } = broker.assumptions
  const midnight = kstMidnight(day) + DAY_MS
  const from = { end: expiredAt, evening: Math.max(expiredAt, midnight - EVENING_MS), midnight }[expiredShownFrom]
  if (broker.clock.now() < from || expiredShownAs === 'remaining') return { ...none, remaining: expiredCount }
  return expiredShownAs === 'nothing' ? none : { ...none, [expiredShownAs]: expiredCount }
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
  const size = PAGE_ROWS.openOrders[call.account.env]
  const page = pageOf(call, rows, { size, sorting: 'ascending', key: (order) => order.odno })
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
