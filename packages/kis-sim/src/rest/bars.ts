import { addDays, kstDay } from '@digger/core'
import { adjustedBars } from '../exchange/corporate-action.ts'
import { dayBars } from '../exchange/history.ts'
import type { DayBar, SimIssue } from '../exchange/issue.ts'
import type { Call } from './call.ts'

/** Every day of an issue up to now, oldest first, at the prices of its share of today. */
export const barsOf = (call: Call, issue: SimIssue): readonly DayBar[] =>
  adjustedBars(tradedBars(call, issue), issue, today(call))

/** The same as a chart of adjusted prices shows it, which may not know the share of today yet. */
export function chartBars(call: Call, issue: SimIssue): readonly DayBar[] {
  const isNew = issue.actions.some(({ exDay }) => exDay === today(call))
  const isLate = isNew && call.broker.assumed.decide('chartAdjustedFrom') === 'dayAfter'
  return isLate ? adjustedBars(tradedBars(call, issue), issue, addDays(today(call), -1)) : barsOf(call, issue)
}

/** The same at the prices of the day. */
export const tradedBars = ({ broker }: Call, issue: SimIssue): readonly DayBar[] =>
  dayBars(issue, kstDay(broker.clock.now()), broker.firstDay, broker.seed, broker.hours)

const today = ({ broker }: Call): string => kstDay(broker.clock.now())
