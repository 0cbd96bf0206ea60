import { addDays, kstDay, kstTime } from '@digger/core'
import { PAGE_ROWS } from '@digger/kis'
import type { DayBar, SimIssue } from '../exchange/issue.ts'
import { dayPath } from '../exchange/replay.ts'
import type { MinuteBar } from '../exchange/tape.ts'
import { hasChanged } from '../exchange/corporate-action.ts'
import { barsOf, tradedBars } from './bars.ts'
import { field, quotation, type Call, type Reply } from './call.ts'
import { chartHead } from './charts.ts'
import { issueOf, tapeVenue } from './market.ts'
import { decimals, whole } from './numbers.ts'

const NO_ISSUE = { output1: { hts_kor_isnm: '', stck_prpr: '0' }, output2: [] }
const MIDNIGHT = '000000'

interface Minute extends MinuteBar {
  readonly day: string
}

/** Today's minutes at or before an hour, newest first. */
export function minuteChart(call: Call): Reply {
  const issue = issueOf(call)
  if (!issue) return quotation(NO_ISSUE)
  const { clock, assumed } = call.broker
  const asked = field(call, 'FID_INPUT_HOUR_1')
  const latest = asked === '' || (asked === MIDNIGHT && assumed.decide('minutesAtMidnight') === 'latest')
  return reply(call, issue, {
    day: kstDay(clock.now()),
    until: latest ? kstTime(clock.now()) : asked,
    rows: PAGE_ROWS.minuteChart,
  })
}

/** Minutes of an earlier day; of a day without trading, those of the one before. */
export function minuteChartPast(call: Call): Reply {
  const issue = issueOf(call)
  if (!issue) return quotation(NO_ISSUE)
  const now = call.broker.clock.now()
  const day = field(call, 'FID_INPUT_DATE_1')
  const until = field(call, 'FID_INPUT_HOUR_1') || kstTime(now)
  const rows = PAGE_ROWS.minuteChartPast
  if (day >= kstDay(now)) return reply(call, issue, { day: kstDay(now), until, rows })
  const bar = pastBars(call, issue).findLast((b) => b.day <= day)
  const isTooOld = bar === undefined || bar.day < addDays(kstDay(now), -call.broker.assumed.decide('pastMinutesBack'))
  if (isTooOld) return quotation({ output1: chartHead(call, issue), output2: [] })
  return reply(call, issue, { day: bar.day, until, rows })
}

/** Days of the prices that minutes of earlier days have. */
function pastBars(call: Call, issue: SimIssue): readonly DayBar[] {
  const { assumed, clock } = call.broker
  if (!hasChanged(issue, kstDay(clock.now()))) return barsOf(call, issue)
  return assumed.decide('pastMinutePrices') === 'adjusted' ? barsOf(call, issue) : tradedBars(call, issue)
}

interface Wanted {
  readonly day: string
  /** `HHMMSS`, this minute included. */
  readonly until: string
  readonly rows: number
}

function reply(call: Call, issue: SimIssue, { day, until, rows }: Wanted): Reply {
  const ofDay = minutesOn(call, issue, day).filter((minute) => minute.time <= until)
  const before = field(call, 'FID_PW_DATA_INCU_YN') === 'Y' ? dayBefore(call, issue, day) : undefined
  const earlier = before && ofDay.length < rows ? minutesOn(call, issue, before.day) : []
  const output2 = [...earlier, ...ofDay]
    .slice(-rows)
    .toReversed()
    .map((minute) => ({
      stck_bsop_date: minute.day,
      stck_cntg_hour: minute.time,
      stck_prpr: whole(minute.close),
      stck_oprc: whole(minute.open),
      stck_hgpr: whole(minute.high),
      stck_lwpr: whole(minute.low),
      cntg_vol: whole(minute.count),
      acml_tr_pbmn: decimals(minute.dayAmount, 0),
    }))
  const head = chartHead(call, issue)
  const { stck_prpr, prdy_vrss, prdy_vrss_sign, prdy_ctrt, stck_prdy_clpr, acml_vol, acml_tr_pbmn, hts_kor_isnm } = head
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

const dayBefore = (call: Call, issue: SimIssue, day: string): DayBar | undefined =>
  pastBars(call, issue).findLast((bar) => bar.day < day)

/** Today's are the tape's; those of an earlier day are derived from its day bar. */
function minutesOn(call: Call, issue: SimIssue, day: string): Minute[] {
  const today = kstDay(call.broker.clock.now())
  if (day === today) return issue.tapes[tapeVenue(call)].minutes.map((minute) => ({ ...minute, day }))
  const bar = pastBars(call, issue).find((b) => b.day === day)
  return bar ? minutesOfDay(call, issue, bar) : []
}

const REGULAR_MINUTES = 380

/** A day without a trade has no minutes. All others have the day's open, extremes, close and volume between them. */
function minutesOfDay(call: Call, issue: SimIssue, bar: DayBar): Minute[] {
  const { code, name, market, kind } = issue.listing
  const path = dayPath({ ...bar, code, name, market }, kind, REGULAR_MINUTES, call.broker.seed)
  if (path.length === 0) return []
  const each = Math.floor(bar.volume / REGULAR_MINUTES)
  return Array.from({ length: REGULAR_MINUTES }, (_, i) => {
    const from = Math.floor((i * path.length) / REGULAR_MINUTES)
    const prices = path.slice(from, Math.max(from + 1, Math.floor(((i + 1) * path.length) / REGULAR_MINUTES)))
    const isLast = i === REGULAR_MINUTES - 1
    const minute = 9 * 60 + i
    return {
      day: bar.day,
      time: `${String(Math.floor(minute / 60)).padStart(2, '0')}${String(minute % 60).padStart(2, '0')}00`,
      open: prices[0] ?? bar.open,
      high: Math.max(...prices),
      low: Math.min(...prices),
      close: prices.at(-1) ?? bar.close,
      count: isLast ? bar.volume - each * (REGULAR_MINUTES - 1) : each,
      dayAmount: Math.floor((bar.amount * (i + 1)) / REGULAR_MINUTES),
    }
  })
}
