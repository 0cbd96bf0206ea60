import { addDays, kstDay } from '@digger/core'
import type { DayBar, SimIssue } from '../exchange/issue.ts'
import { barsOf } from './bars.ts'
import type { Call } from './call.ts'
import { decimals, percent, whole } from './numbers.ts'

const WEEKS_52 = 52 * 7
const TRADING_DAYS = 250

/** Highest and lowest prices of 52 weeks, 250 trading days and this year, today included, for inquire-price. */
export function highsAndLows(call: Call, issue: SimIssue, last: number): Record<string, string> {
  const today = kstDay(call.broker.clock.now())
  const bars = barsOf(call, issue)
  const since = (day: string): DayBar[] => bars.filter((bar) => bar.day >= day)
  const [weeks, days, year] = [
    since(addDays(today, -WEEKS_52)),
    bars.slice(-TRADING_DAYS),
    since(`${today.slice(0, 4)}0101`),
  ].map(extremes)
  const from = (price: number): string => decimals(percent(last - price, price), 2)
  return {
    ...(weeks && {
      w52_hgpr: whole(weeks.high.high),
      w52_hgpr_vrss_prpr_ctrt: from(weeks.high.high),
      w52_hgpr_date: weeks.high.day,
      w52_lwpr: whole(weeks.low.low),
      w52_lwpr_vrss_prpr_ctrt: from(weeks.low.low),
      w52_lwpr_date: weeks.low.day,
    }),
    ...(days && {
      d250_hgpr: whole(days.high.high),
      d250_hgpr_date: days.high.day,
      d250_hgpr_vrss_prpr_rate: from(days.high.high),
      d250_lwpr: whole(days.low.low),
      d250_lwpr_date: days.low.day,
      d250_lwpr_vrss_prpr_rate: from(days.low.low),
    }),
    ...(year && {
      stck_dryy_hgpr: whole(year.high.high),
      dryy_hgpr_vrss_prpr_rate: from(year.high.high),
      dryy_hgpr_date: year.high.day,
      stck_dryy_lwpr: whole(year.low.low),
      dryy_lwpr_vrss_prpr_rate: from(year.low.low),
      dryy_lwpr_date: year.low.day,
    }),
  }
}

/** The first day of the highest and of the lowest price; null without any day. */
function extremes(bars: readonly DayBar[]): { high: DayBar; low: DayBar } | null {
  const [first, ...rest] = bars
  if (!first) return null
  return rest.reduce(
    ({ high, low }, bar) => ({ high: bar.high > high.high ? bar : high, low: bar.low < low.low ? bar : low }),
    { high: first, low: first },
  )
}
