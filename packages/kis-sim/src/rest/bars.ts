import { addDays, kstDay } from '@digger/core'
import { adjustedBars } from '../exchange/corporate-action.ts'
import { dayBars } from '../exchange/history.ts'
import type { DayBar, SimIssue } from '../exchange/issue.ts'
import type { Call } from './call.ts'

/** Every day of an issue up to now, oldest first, at the prices of its share of today, or as far as that is known. */
export function barsOf(call: Call, issue: SimIssue): readonly DayBar[] {
  const { assumed, clock } = call.broker
  const today = kstDay(clock.now())
  const isLate =
    issue.actions.some(({ exDay }) => exDay === today) && assumed.decide('chartAdjustedFrom') === 'dayAfter'
  return adjustedBars(tradedBars(call, issue), issue, isLate ? addDays(today, -1) : today)
}

/** The same at the prices of the day. */
export const tradedBars = ({ broker }: Call, issue: SimIssue): readonly DayBar[] =>
  dayBars(issue, kstDay(broker.clock.now()), broker.firstDay, broker.seed, broker.hours)
