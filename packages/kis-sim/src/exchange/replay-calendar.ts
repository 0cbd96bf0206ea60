import { addDays, weekday } from '@digger/core'
import type { MarketHours } from './market-hours.ts'
import type { Candle } from './replay.ts'

/** Which recorded day is replayed on which pretend day. */
export interface ReplayCalendar {
  readonly days: readonly string[]
  /** The recorded day of a pretend day; `closed`: nothing is replayed on it; `over`: the record is used up. */
  recorded(day: string): string
  /** Weekdays inside the record on which nothing was traded. */
  readonly closed: readonly string[]
}

/**
 * A market that starts within the record lives on the record's own dates. One that starts later replays the record's days
 * one by one on its own trading days.
 */
export function replayCalendar(candles: readonly Candle[], firstDay: string, hours: MarketHours): ReplayCalendar {
  const days = [...new Set(candles.map((candle) => candle.day))].sort()
  const first = days[0]
  const last = days.at(-1)
  if (first === undefined || last === undefined) return { days, closed: [], recorded: () => 'over' }
  return firstDay <= last ? onItsDates(days, first, last) : oneByOne(days, firstDay, hours)
}

function onItsDates(days: readonly string[], first: string, last: string): ReplayCalendar {
  const known = new Set(days)
  const closed: string[] = []
  for (let day = first; day < last; day = addDays(day, 1))
    if (!known.has(day) && weekday(day) % 6 !== 0) closed.push(day)
  return { days, closed, recorded: (day) => (known.has(day) ? day : day > last ? 'over' : 'closed') }
}

function oneByOne(days: readonly string[], firstDay: string, hours: MarketHours): ReplayCalendar {
  /** Trading days since the first one, found as time goes on. */
  const positions = new Map<string, number>()
  const count = (day: string): number => {
    let n = 0
    for (let d = firstDay; d < day && n < days.length; d = addDays(d, 1)) if (hours.isOpenDay(d)) n++
    positions.set(day, n)
    return n
  }
  return {
    days,
    closed: [],
    recorded: (day) =>
      day < firstDay || !hours.isOpenDay(day) ? 'closed' : (days[positions.get(day) ?? count(day)] ?? 'over'),
  }
}
