import { kstDay, weekday } from '@digger/core'
import { PAGE_ROWS } from '@digger/kis'
import type { DayBar, SimIssue } from '../exchange/issue.ts'
import { barsOf, chartBars, tradedBars } from './bars.ts'
import { field, quotation, type Reply, type Call } from './call.ts'
import { change, whole } from './numbers.ts'
import { listedShares } from './price.ts'
import { issueOf, tapeVenue } from './market.ts'

/** Bars of a day, week, month or year; W, M and Y carry the last day of their period. */
function grouped(bars: readonly DayBar[], period: string): DayBar[] {
  if (period === 'D' || period === '') return [...bars]
  const groups = new Map<string, DayBar>()
  for (const bar of bars) {
    const key = periodOf(bar.day, period)
    const soFar = groups.get(key)
    groups.set(key, soFar ? joined(soFar, bar) : bar)
  }
  return [...groups.values()]
}

function periodOf(day: string, period: string): string {
  if (period === 'Y') return day.slice(0, 4)
  if (period === 'M') return day.slice(0, 6)
  // A week begins on Monday.
  const days = Math.floor(Date.UTC(+day.slice(0, 4), +day.slice(4, 6) - 1, +day.slice(6)) / 86_400_000)
  return String(days - ((weekday(day) + 6) % 7))
}

const joined = (a: DayBar, b: DayBar): DayBar => ({
  day: b.day,
  open: a.open,
  high: Math.max(a.high, b.high),
  low: Math.min(a.low, b.low),
  close: b.close,
  volume: a.volume + b.volume,
  amount: a.amount + b.amount,
})

export function dayChart(call: Call): Reply {
  const issue = issueOf(call)
  if (!issue) return quotation({ output1: { hts_kor_isnm: '', stck_prpr: '0' }, output2: [] })
  const [from, to] = [field(call, 'FID_INPUT_DATE_1'), field(call, 'FID_INPUT_DATE_2')]
  // 0: adjusted. The sibling below means the opposite.
  const isTraded = field(call, 'FID_ORG_ADJ_PRC') === '1'
  const bars = grouped(isTraded ? tradedBars(call, issue) : chartBars(call, issue), field(call, 'FID_PERIOD_DIV_CODE'))
  const shown = bars
    .map((bar, i) => ({ bar, before: bars[i - 1]?.close ?? bar.open }))
    .filter(({ bar }) => bar.day >= from && bar.day <= to)
    .slice(-PAGE_ROWS.dayChart)
    .toReversed()
  const output2 = shown.map(({ bar, before }) => ({
    stck_bsop_date: bar.day,
    stck_clpr: whole(bar.close),
    stck_oprc: whole(bar.open),
    stck_hgpr: whole(bar.high),
    stck_lwpr: whole(bar.low),
    acml_vol: whole(bar.volume),
    acml_tr_pbmn: whole(bar.amount),
    flng_cls_code: '00',
    prtt_rate: '0.00',
    mod_yn: 'N',
    ...change(bar.close, before),
    revl_issu_reas: '',
  }))
  return quotation({ output1: chartHead(call, issue), output2 })
}

export function chartHead(call: Call, issue: SimIssue): Record<string, string> {
  const tape = issue.tapes[tapeVenue(call)]
  const last = issue.shownLast(tapeVenue(call))
  const before = barsOf(call, issue).findLast((bar) => bar.day < kstDay(call.broker.clock.now()))
  const shares = listedShares(issue)
  const quotes = issue.quotes[tapeVenue(call) === 'NXT' ? 'NXT' : 'KRX']
  return {
    ...change(last, issue.shownBase, issue.shownLimits),
    stck_prdy_clpr: whole(issue.shownBase),
    acml_vol: whole(tape.volume),
    acml_tr_pbmn: whole(tape.amount),
    hts_kor_isnm: issue.listing.name,
    stck_prpr: whole(last),
    stck_shrn_iscd: issue.listing.code,
    prdy_vol: whole(before?.volume ?? 0),
    stck_mxpr: whole(issue.shownLimits.upper),
    stck_llam: whole(issue.shownLimits.lower),
    stck_oprc: whole(tape.open),
    stck_hgpr: whole(tape.high),
    stck_lwpr: whole(tape.low),
    stck_prdy_oprc: whole(before?.open ?? 0),
    stck_prdy_hgpr: whole(before?.high ?? 0),
    stck_prdy_lwpr: whole(before?.low ?? 0),
    askp: whole(quotes.ask),
    bidp: whole(quotes.bid),
    prdy_vrss_vol: whole(tape.volume - (before?.volume ?? 0)),
    vol_tnrt: '0.00',
    stck_fcam: '0',
    lstn_stcn: whole(shares),
    cpfn: '0',
    hts_avls: whole((shares * last) / 1e8),
    per: '0.00',
    eps: '0.00',
    pbr: '0.00',
    'itewhol_loan_rmnd_ratem name': '0.00',
  }
}

/** The last thirty periods, newest first. */
export function dailyPrice(call: Call): Reply {
  const issue = issueOf(call)
  const isTraded = field(call, 'FID_ORG_ADJ_PRC') === '0'
  const days = issue ? (isTraded ? tradedBars(call, issue) : chartBars(call, issue)) : []
  const bars = grouped(days, field(call, 'FID_PERIOD_DIV_CODE'))
  const shown = bars.map((bar, i) => ({ bar, before: bars[i - 1]?.close ?? bar.open })).slice(-30)
  const output = shown.toReversed().map(({ bar, before }) => ({
    stck_bsop_date: bar.day,
    stck_oprc: whole(bar.open),
    stck_hgpr: whole(bar.high),
    stck_lwpr: whole(bar.low),
    stck_clpr: whole(bar.close),
    acml_vol: whole(bar.volume),
    prdy_vrss_vol_rate: '0.00',
    ...change(bar.close, before),
    hts_frgn_ehrt: '0.00',
    frgn_ntby_qty: '0',
    flng_cls_code: '00',
    acml_prtt_rate: '0.00',
  }))
  return quotation({ output })
}
