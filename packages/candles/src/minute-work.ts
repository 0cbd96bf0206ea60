import { addDays } from '@digger/core'
import { tradedDays } from './day-work.ts'
import { writePart } from './parts.ts'
import { lastFinishedDay, nextMinutes } from './plan.ts'
import { wantedFrom } from './progress.ts'
import { type MinuteQueries, readMinutesOf } from './read-minutes.ts'
import { type Series, writeStep } from './series.ts'
import type { Ended, WorkParts } from './work.ts'

/** Of so many days of trading in a row the broker has no minutes: it has none before them either. */
const MAX_EMPTY_DAYS = 3
/** What is older is dropped, calendar days: a year, and the weeks that a year's look back needs. */
const KEPT_DAYS = 400
const NONE_BEFORE = '증권사에 이보다 앞선 분봉이 없습니다. 더 앞의 것은 파일로 가져올 수 있습니다.'

/** Reads the next day of a stock's minutes, and writes it. Side effects: the broker is asked. */
export async function workOnMinutes(parts: WorkParts, series: Series, kis: MinuteQueries): Promise<Ended> {
  const { db, reader, clock, timetable, wait } = parts
  const { code } = series
  const last = lastFinishedDay(clock.now(), timetable())
  const traded = await tradedDays(db, code, wantedFrom('minute', last), clock.now())
  const step = nextMinutes(series, last, traded)
  if (step.kind !== 'minutes') return finish(parts, series, last)
  const { day, isNew } = step
  const bars = await readMinutesOf(kis, code, day, wait)
  const emptyDays = bars.length > 0 ? 0 : series.empty_days + 1
  const isEnd = !isNew && emptyDays >= MAX_EMPTY_DAYS
  const change = {
    from_day: isNew ? (series.from_day ?? day) : day,
    to_day: isNew ? day : series.to_day,
    empty_days: emptyDays,
    is_complete: series.is_complete || isEnd,
    begun_at: series.begun_at ?? clock.now(),
    note: isEnd ? NONE_BEFORE : null,
    next_at: 0,
  }
  const key = { code, unit: 'minute', source: 'broker', generation: series.generation, part: day } as const
  // As of which share its prices are the broker does not say.
  const isMine = await writeStep(db, reader, series, { change, also: (write) => writePart(write, key, bars, false) })
  return isMine ? { kind: 'goOn', series: { ...series, ...change } } : { kind: 'lost' }
}

async function finish({ db, reader }: WorkParts, series: Series, last: string): Promise<Ended> {
  const { code, begun_at: begunAt } = series
  await writeStep(db, reader, series, {
    over: true,
    // A day on which it was not traded is over as well.
    change: { is_complete: true, to_day: last, adjusted_at: begunAt },
    also: async (write) => {
      await write
        .deleteFrom('candle_part')
        .where((where) => where.and({ code, unit: 'minute', source: 'broker' }))
        .where('part', '<', addDays(last, -KEPT_DAYS))
        .execute()
    },
  })
  return { kind: 'done' }
}
