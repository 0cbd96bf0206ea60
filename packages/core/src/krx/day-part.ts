import { kstDay } from './kst.ts'
import { CLOSING_OVERRUN_MS } from './route.ts'
import { dayBegins, dayEnds, type Timetable } from './session.ts'

/**
 * When the broker's words about a stock are worth asking for anew.
 * night    before the first session, and on days without trading: limits and base are still those of the last session
 * morning  from a minute before it; limits and base of the day should be there, and may still be the old ones
 * open     from a minute before KRX's opening: they are there
 * closed   KRX has surely closed and its after-market has not begun: the price is the regular close, the next day's base
 * evening  the rest of the day
 */
export interface DayPart {
  readonly day: string
  readonly part: 'night' | 'morning' | 'open' | 'closed' | 'evening'
}

const MINUTE_MS = 60_000
/** KRX's after-market begins half an hour after the close. */
const CLOSED_MS = 30 * MINUTE_MS

export function dayPart(now: number, timetable: Timetable): DayPart {
  const day = kstDay(now)
  if (timetable.hours === 'always') return { day, part: 'open' }
  const begins = dayBegins(day, timetable)
  if (begins === null || now < begins - MINUTE_MS) return { day, part: 'night' }
  const { opens, regular } = dayEnds(day, timetable)
  if (now < opens - MINUTE_MS) return { day, part: 'morning' }
  if (now < regular + CLOSING_OVERRUN_MS) return { day, part: 'open' }
  return { day, part: now < regular + CLOSED_MS - MINUTE_MS ? 'closed' : 'evening' }
}
