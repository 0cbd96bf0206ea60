import { kstDay, kstTime, weekday } from '@digger/core'
import { PAGE_ROWS } from '@digger/kis'
import { dayBars } from '../exchange/history.ts'
import type { DayBar, SimIssue } from '../exchange/issue.ts'
import { dayPath } from '../exchange/replay.ts'
import type { MinuteBar } from '../exchange/tape.ts'
import { field, quotation, type Reply, type Call } from './call.ts'
import { change, decimals, whole } from './numbers.ts'
import { issueOf, listedShares, tapeVenue } from './price.ts'

const barsOf = (call: Call, issue: SimIssue): DayBar[] =>
  dayBars(issue, kstDay(call.broker.clock.now()), call.broker.firstDay, call.broker.seed, call.broker.hours)

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
  const bars = grouped(barsOf(call, issue), field(call, 'FID_PERIOD_DIV_CODE'))
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

function chartHead(call: Call, issue: SimIssue): Record<string, string> {
  const tape = issue.tapes[tapeVenue(call)]
  const before = barsOf(call, issue).findLast((bar) => bar.day < kstDay(call.broker.clock.now()))
  const shares = listedShares(issue)
  return {
    ...change(tape.last, tape.base, issue.limits),
    stck_prdy_clpr: whole(tape.base),
    acml_vol: whole(tape.volume),
    acml_tr_pbmn: whole(tape.amount),
    hts_kor_isnm: issue.listing.name,
    stck_prpr: whole(tape.last),
    stck_shrn_iscd: issue.listing.code,
    prdy_vol: whole(before?.volume ?? 0),
    stck_mxpr: whole(issue.limits.upper),
    stck_llam: whole(issue.limits.lower),
    stck_oprc: whole(tape.open),
    stck_hgpr: whole(tape.high),
    stck_lwpr: whole(tape.low),
    stck_prdy_oprc: whole(before?.open ?? 0),
    stck_prdy_hgpr: whole(before?.high ?? 0),
    stck_prdy_lwpr: whole(before?.low ?? 0),
    askp: whole(issue.ask),
    bidp: whole(issue.bid),
    prdy_vrss_vol: whole(tape.volume - (before?.volume ?? 0)),
    vol_tnrt: '0.00',
    stck_fcam: '0',
    lstn_stcn: whole(shares),
    cpfn: '0',
    hts_avls: whole((shares * tape.last) / 1e8),
    per: '0.00',
    eps: '0.00',
    pbr: '0.00',
    'itewhol_loan_rmnd_ratem name': '0.00',
  }
}

/** The last thirty periods, newest first. */
export function dailyPrice(call: Call): Reply {
  const issue = issueOf(call)
  const bars = issue ? grouped(barsOf(call, issue), field(call, 'FID_PERIOD_DIV_CODE')) : []
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

/** Today's minutes at or before an hour, newest first. */
export function minuteChart(call: Call): Reply {
  const issue = issueOf(call)
  if (!issue) return quotation({ output1: { hts_kor_isnm: '', stck_prpr: '0' }, output2: [] })
  const minutes = issue.tapes[tapeVenue(call)].minutes
  return minuteRows(call, issue, minutes, kstDay(call.broker.clock.now()), PAGE_ROWS.minuteChart)
}

/** Minutes of an earlier day, derived from its day bar; of a day without trading, those of the one before. */
export function minuteChartPast(call: Call): Reply {
  const issue = issueOf(call)
  const today = kstDay(call.broker.clock.now())
  const day = field(call, 'FID_INPUT_DATE_1')
  if (!issue) return quotation({ output1: { hts_kor_isnm: '', stck_prpr: '0' }, output2: [] })
  if (day >= today) return minuteRows(call, issue, issue.tapes[tapeVenue(call)].minutes, today, 120)
  const bar = barsOf(call, issue).findLast((b) => b.day <= day)
  return bar
    ? minuteRows(call, issue, minutesOfDay(call, issue, bar), bar.day, 120)
    : quotation({ output1: chartHead(call, issue), output2: [] })
}

const REGULAR_MINUTES = 380

function minutesOfDay(call: Call, issue: SimIssue, bar: DayBar): MinuteBar[] {
  const { code, name, market, kind } = issue.listing
  const path = dayPath({ ...bar, code, name, market }, kind, REGULAR_MINUTES, call.broker.seed)
  return Array.from({ length: REGULAR_MINUTES }, (_, i) => {
    const at = (n: number): number =>
      path[Math.min(path.length - 1, Math.floor((n * path.length) / REGULAR_MINUTES))] ?? bar.close
    const [open, close] = [at(i), i === REGULAR_MINUTES - 1 ? bar.close : at(i + 1)]
    const minute = 9 * 60 + i
    return {
      time: `${String(Math.floor(minute / 60)).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}00`,
      open,
      high: Math.max(open, close),
      low: Math.min(open, close),
      close,
      count: Math.floor(bar.volume / REGULAR_MINUTES),
      dayAmount: Math.floor((bar.amount * (i + 1)) / REGULAR_MINUTES),
    }
  })
}

function minuteRows(call: Call, issue: SimIssue, minutes: readonly MinuteBar[], day: string, rows: number): Reply {
  const until = field(call, 'FID_INPUT_HOUR_1') || kstTime(call.broker.clock.now())
  const { stck_prpr, prdy_vrss, prdy_vrss_sign, prdy_ctrt, stck_prdy_clpr, acml_vol, acml_tr_pbmn, hts_kor_isnm } =
    chartHead(call, issue)
  const output2 = minutes
    .filter((bar) => bar.time <= until)
    .slice(-rows)
    .toReversed()
    .map((bar) => ({
      stck_bsop_date: day,
      stck_cntg_hour: bar.time,
      stck_prpr: whole(bar.close),
      stck_oprc: whole(bar.open),
      stck_hgpr: whole(bar.high),
      stck_lwpr: whole(bar.low),
      cntg_vol: whole(bar.count),
      acml_tr_pbmn: decimals(bar.dayAmount, 0),
    }))
  const output1 = {
    prdy_vrss,
    prdy_vrss_sign,
    prdy_ctrt,
    stck_prdy_clpr,
    acml_vol,
    acml_tr_pbmn,
    hts_kor_isnm,
    stck_prpr,
  }
  return quotation({ output1, output2 })
}
