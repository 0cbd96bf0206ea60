import type { CandlePartRow, CandleUnit, Db } from '@digger/database'
import { sql } from 'kysely'
import { type Bar, dayNumber, dayOf } from './bar.ts'
import { pack, unpack } from './packed.ts'

export type Part = Omit<CandlePartRow, 'bars'> & { readonly bars: readonly Bar[] }

/** Of the day it belongs to: a year of days, a day of minutes. */
export const partOf = (unit: CandleUnit, day: string): string => (unit === 'day' ? day.slice(0, 4) : day)

export interface Range {
  readonly from: string
  readonly to: string
}

export const unpacked = ({ bars, ...row }: CandlePartRow): Part => ({ ...row, bars: unpack(bars) })

/** Rows that any source has, of the generation that is shown; oldest first. */
export const partRows = (db: Db, code: string, unit: CandleUnit, { from, to }: Range): Promise<CandlePartRow[]> =>
  db
    .selectFrom('candle_part as p')
    .leftJoin('candle_series as s', (join) => join.onRef('s.code', '=', 'p.code').onRef('s.unit', '=', 'p.unit'))
    .selectAll('p')
    .where('p.code', '=', code)
    .where('p.unit', '=', unit)
    .where('p.last_day', '>=', from)
    .where('p.first_day', '<=', to)
    .where(sql<boolean>`(p.source <> 'broker' or p.generation = coalesce(s.shown, 0))`)
    .orderBy('p.part')
    .orderBy('p.source')
    .execute()

export type PartKey = Pick<CandlePartRow, 'code' | 'unit' | 'source' | 'generation' | 'part'>

export async function readPart(db: Db, { code, unit, source, generation, part }: PartKey): Promise<Part | null> {
  const row = await db
    .selectFrom('candle_part')
    .selectAll()
    .where((where) => where.and({ code, unit, source, generation, part }))
    .executeTakeFirst()
  return row === undefined ? null : unpacked(row)
}

/** Side effects: writes the whole part, in place of what was there. */
export async function writePart(db: Db, key: PartKey, bars: readonly Bar[], isAdjusted: boolean): Promise<void> {
  const [first, last] = [bars[0], bars.at(-1)]
  if (first === undefined || last === undefined) return
  const ofDays = key.unit === 'day'
  const content = {
    is_adjusted: isAdjusted,
    first_day: ofDays ? dayOf(first.at) : key.part,
    last_day: ofDays ? dayOf(last.at) : key.part,
    bars: pack(bars),
  }
  await db
    .insertInto('candle_part')
    .values({ ...key, ...content })
    .onConflict((conflict) => conflict.columns(['code', 'unit', 'source', 'generation', 'part']).doUpdateSet(content))
    .execute()
}

export const deletePart = (db: Db, { code, unit, source, generation, part }: PartKey) =>
  db
    .deleteFrom('candle_part')
    .where((where) => where.and({ code, unit, source, generation, part }))
    .execute()

/** Both, each day once: the newer bars win. Oldest first. */
export function united(older: readonly Bar[], newer: readonly Bar[]): Bar[] {
  const all = new Map(older.map((bar) => [bar.at, bar]))
  for (const bar of newer) all.set(bar.at, bar)
  return [...all.values()].sort((a, b) => a.at - b.at)
}

export const within = (bars: readonly Bar[], { from, to }: Range): Bar[] => {
  const [first, last] = [dayNumber(from), dayNumber(to)]
  return bars.filter(({ at }) => at >= first && at <= last)
}
