import { kstDay } from '@digger/core'
import { dayBars } from '../exchange/history.ts'
import type { DayBar, SimIssue } from '../exchange/issue.ts'
import type { Call } from './call.ts'

/** Every day of an issue up to now, oldest first. */
export const barsOf = (call: Call, issue: SimIssue): DayBar[] =>
  dayBars(issue, kstDay(call.broker.clock.now()), call.broker.firstDay, call.broker.seed, call.broker.hours)
