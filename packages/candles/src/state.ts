import type { HistoryState } from '@digger/contract'
import { kstIso } from '@digger/core'
import { type Db } from '@digger/database'
import { sql } from 'kysely'
import { callsLeft } from './cost.ts'

/** Calls of the last hour's pace, where nobody has a better one: what a server reads in a minute outside of the trading hours. */
const CALLS_PER_MINUTE = 120

interface SeriesLine {
  readonly code: string
  readonly name: string | null
  readonly unit: 'day' | 'minute'
  readonly isComplete: boolean
  readonly isTaken: boolean
  readonly from_day: string | null
  readonly note: string | null
}

/** How the keeping goes for the whole server, by the tables: several processes may read. */
export async function readState(db: Db, now: number, callsPerMinute = CALLS_PER_MINUTE): Promise<HistoryState> {
  const { rows } = await sql<SeriesLine>`
    with wanted as (select code, min(name) as name from stock group by code)
    select w.code, w.name, u.unit, coalesce(s.is_complete, false) as "isComplete",
      coalesce(s.taken_until > clock_timestamp(), false) as "isTaken", s.from_day, s.note
    from wanted w cross join (values ('day'), ('minute')) as u (unit)
      left join candle_series s on s.code = w.code and s.unit = u.unit
    order by w.code, u.unit`.execute(db)
  const complete = (unit: string) => rows.filter((row) => row.unit === unit && row.isComplete).length
  const taken = rows.filter(({ isTaken }) => isTaken)
  const left = rows.reduce((sum, row) => sum + callsLeft(row, now), 0)
  return {
    stocks: rows.length / 2,
    daysComplete: complete('day'),
    minutesComplete: complete('minute'),
    reading: taken.map(({ code, name, unit, from_day: upTo }) => ({ code, name: name ?? code, unit, upTo })),
    doneAt: left === 0 || taken.length === 0 ? null : kstIso(now + (left / callsPerMinute) * 60_000),
    callsLeft: left,
    notes: notesOf(rows),
  }
}

function notesOf(rows: readonly SeriesLine[]): HistoryState['notes'] {
  const counts = new Map<string, number>()
  for (const { note } of rows) if (note !== null) counts.set(note, (counts.get(note) ?? 0) + 1)
  return [...counts].map(([text, stocks]) => ({ text, stocks })).sort((a, b) => b.stocks - a.stocks)
}
