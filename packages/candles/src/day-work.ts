import { kstDay } from '@digger/core'
import type { Db } from '@digger/database'
import { type Bar, dayOf } from './bar.ts'
import { type PartKey, partOf, type Range, readPart, united, within, writePart } from './parts.ts'
import { lastFinishedDay, nextDays } from './plan.ts'
import { compare, type DayQueries, earlierShare, readAdjusted, readBoth } from './read-days.ts'
import { type Series, writeStep } from './series.ts'
import type { Ended, WorkParts } from './work.ts'

const NOTHING = '증권사에 지난 시세가 없는 종목입니다. 종목코드가 바뀌었는지 확인해 주세요.'

/** Reads what is next of a stock's days, and writes it. Side effects: the broker is asked. */
export async function workOnDays(parts: WorkParts, series: Series, kis: DayQueries): Promise<Ended> {
  const last = lastFinishedDay(parts.clock.now(), parts.timetable())
  const step = nextDays(series, last)
  if (step.kind === 'append') return append(parts, series, kis, step)
  if (step.kind === 'back') return goBack(parts, series, kis, step)
  return finish(parts, series, series.note)
}

async function append(
  { db, reader, wait, clock }: WorkParts,
  series: Series,
  kis: DayQueries,
  range: Range,
): Promise<Ended> {
  const again = await readAdjusted(kis, series.code, range, wait)
  const stored = await storedDays(db, series, range)
  const { isAdjusted, news } = compare(stored, again)
  if (isAdjusted) return beginAnew({ db, reader, clock }, series)
  const earlier = earlierShare(stored, news)
  const bars = earlier === null ? news : united(news, await readBoth(kis, series.code, earlier, wait))
  const change = { to_day: range.to, note: null, next_at: 0 }
  const isMine = await writeStep(db, reader, series, { change, also: (write) => addDaysTo(write, series, bars) })
  return isMine ? { kind: 'goOn', series: { ...series, ...change } } : { kind: 'lost' }
}

/** All is read once more, beside what is shown. What had been read of another such reading is of no use any more. */
async function beginAnew(
  { db, reader, clock }: Pick<WorkParts, 'db' | 'reader' | 'clock'>,
  series: Series,
): Promise<Ended> {
  const { code, unit, shown } = series
  const generation = series.generation + 1
  const change = { generation, from_day: null, to_day: null, is_complete: false, begun_at: clock.now(), note: null }
  const isMine = await writeStep(db, reader, series, {
    change,
    also: async (write) => {
      await brokerParts(write, { code, unit }).where('generation', '<>', shown).execute()
    },
  })
  return isMine ? { kind: 'goOn', series: { ...series, ...change } } : { kind: 'lost' }
}

async function goBack(
  { db, reader, wait, clock }: WorkParts,
  series: Series,
  kis: DayQueries,
  range: Range,
): Promise<Ended> {
  const bars = await readBoth(kis, series.code, range, wait)
  // A whole year without a day: the stock was not listed yet. A halted one has its days, without trades.
  const isBegin = bars.length === 0 && range.from.endsWith('0101') && range.to.endsWith('1231')
  const change = {
    from_day: range.from,
    to_day: series.to_day ?? range.to,
    is_complete: isBegin,
    begun_at: series.begun_at ?? clock.now(),
    note: null,
    next_at: 0,
  }
  const isMine = await writeStep(db, reader, series, { change, also: (write) => addDaysTo(write, series, bars) })
  return isMine ? { kind: 'goOn', series: { ...series, ...change } } : { kind: 'lost' }
}

/** All is there: from now on it is what is shown, in place of what was before, in one transaction. */
async function finish({ db, reader }: WorkParts, series: Series, note: string | null): Promise<Ended> {
  const { code, unit, generation, begun_at: begunAt } = series
  const isEmpty = (await brokerRows(db, series)) === 0
  await writeStep(db, reader, series, {
    over: true,
    change: {
      is_complete: true,
      shown: generation,
      adjusted_at: isEmpty ? null : (begunAt ?? series.adjusted_at),
      note: isEmpty ? NOTHING : note,
    },
    also: async (write) => {
      await brokerParts(write, { code, unit }).where('generation', '<>', generation).execute()
    },
  })
  return { kind: 'done' }
}

const brokerParts = (db: Db, { code, unit }: Pick<Series, 'code' | 'unit'>) =>
  db.deleteFrom('candle_part').where((where) => where.and({ code, unit, source: 'broker' }))

async function brokerRows(db: Db, { code, unit, generation }: Series): Promise<number> {
  const rows = await db
    .selectFrom('candle_part')
    .select('part')
    .where((where) => where.and({ code, unit, source: 'broker', generation }))
    .limit(1)
    .execute()
  return rows.length
}

const keyOf = ({ code, generation }: Series, part: string): PartKey => ({
  code,
  unit: 'day',
  source: 'broker',
  generation,
  part,
})

async function storedDays(db: Db, series: Series, range: Range): Promise<Bar[]> {
  const years = [...new Set([range.from, range.to].map((day) => partOf('day', day)))]
  const found = await Promise.all(years.map((year) => readPart(db, keyOf(series, year))))
  return within(
    found.flatMap((part) => part?.bars ?? []),
    range,
  )
}

/** Into the years they belong to, beside what is there. */
async function addDaysTo(db: Db, series: Series, bars: readonly Bar[]): Promise<void> {
  const years = Map.groupBy(bars, ({ at }) => partOf('day', dayOf(at)))
  for (const [year, ofYear] of years) {
    const before = await readPart(db, keyOf(series, year))
    await writePart(db, keyOf(series, year), united(before?.bars ?? [], ofYear), true)
  }
}

/** Days on which the stock was traded, oldest first, of what is being read. */
export async function tradedDays(db: Db, code: string, from: string, now: number): Promise<string[]> {
  const rows = await db
    .selectFrom('candle_part as p')
    .innerJoin('candle_series as s', (join) =>
      join.onRef('s.code', '=', 'p.code').onRef('s.unit', '=', 'p.unit').onRef('s.generation', '=', 'p.generation'),
    )
    .select('p.part')
    .where((where) => where.and({ 'p.code': code, 'p.unit': 'day', 'p.source': 'broker' }))
    .where('p.last_day', '>=', from)
    .select(['p.generation'])
    .orderBy('p.part')
    .execute()
  const parts = await Promise.all(
    rows.map(({ part, generation }) => readPart(db, { code, unit: 'day', source: 'broker', generation, part })),
  )
  const range = { from, to: kstDay(now) }
  return within(
    parts.flatMap((part) => part?.bars ?? []),
    range,
  )
    .filter(({ volume }) => volume > 0)
    .map(({ at }) => dayOf(at))
}
