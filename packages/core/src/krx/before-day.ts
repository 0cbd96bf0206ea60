import { kstDay } from './kst.ts'
import { dayBegins, type Timetable } from './session.ts'

const MINUTE_MS = 60_000
/** Before the first session, in good time for a second attempt at whatever is prepared. */
const EARLY_MS = 40 * MINUTE_MS
const OWN_MINUTES = 30

/**
 * The KST day whose trading an account should prepare now, or null: from a minute of the account's own, so that those of a
 * server do not all ask at once, until a minute before the first session. Null too where no hours are kept.
 */
export function dayToPrepare(userId: string, now: number, timetable: Timetable): string | null {
  const day = kstDay(now)
  const begins = timetable.hours === 'always' ? null : dayBegins(day, timetable)
  if (begins === null) return null
  const due = begins - EARLY_MS + ownMinute(userId) * MINUTE_MS
  return now >= due && now <= begins - MINUTE_MS ? day : null
}

function ownMinute(userId: string): number {
  let sum = 0
  for (let n = 0; n < userId.length; n += 1) sum += userId.codePointAt(n) ?? 0
  return sum % OWN_MINUTES
}
