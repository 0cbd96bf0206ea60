import { knownTimetable } from '@digger/core'
import type { Clock } from '@digger/database'
import { IssueStatuses } from '../src/issue-statuses.ts'

/** What stocks are designated as, in a market that always trades. */
export const statusesBy =
  (clock: Clock, publish: (code: string) => void = () => undefined) =>
  (changed: (code: string) => void): IssueStatuses =>
    new IssueStatuses({
      clock,
      timetable: () => knownTimetable('always'),
      changed: (code) => {
        changed(code)
        publish(code)
      },
    })
