import type { CandleSeriesRow, Db } from '@digger/database'
import { type Selectable, sql, type Updateable } from 'kysely'

export type Series = Selectable<CandleSeriesRow>
type Change = Omit<Updateable<CandleSeriesRow>, 'code' | 'unit' | 'taken_by' | 'taken_until'>

/** Who reads. */
export interface Reader {
  readonly id: string
  /** What it has claimed is anybody's so long after its last sign, ms. */
  readonly claimMs: number
}

const until = ({ claimMs }: Reader) => sql<Date>`clock_timestamp() + ${claimMs} * interval '1 ms'`

/** A row for both units of each stock that any account has. */
export async function addSeries(db: Db): Promise<void> {
  await sql`
    insert into candle_series (code, unit)
    select distinct stock.code, u.unit from stock cross join (values ('day'), ('minute')) as u (unit)
    on conflict do nothing`.execute(db)
}

/** No process but this one reads: whoever had claimed something before is gone. */
export const releaseAll = (db: Db) =>
  db.updateTable('candle_series').set({ taken_by: null, taken_until: null }).execute()

export interface Due {
  /** The last day to be read. */
  readonly last: string
  /** The first one whose minutes are wanted. */
  readonly minutesFrom: string
  /** Epoch ms. */
  readonly now: number
}

/**
 * Claims a series of which something is to be read, days before minutes, since those are of no use without them; null: there is none. No
 * two readers get the same.
 */
export async function claimSeries(db: Db, reader: Reader, { last, minutesFrom, now }: Due): Promise<Series | null> {
  const { rows } = await sql<Series>`
    with free as (
      select s.code, s.unit from candle_series s
      where s.next_at <= ${now} and (s.taken_until is null or s.taken_until <= clock_timestamp())
        and (s.to_day is null or s.to_day < ${last} or not s.is_complete)
        and exists (select from stock where stock.code = s.code)
        and (s.unit = 'day' or exists (
          select from candle_series d where d.code = s.code and d.unit = 'day' and d.to_day >= ${last}
            and (d.is_complete or d.from_day <= ${minutesFrom})))
      order by s.unit, s.code limit 1 for update skip locked)
    update candle_series s set taken_by = ${reader.id}, taken_until = ${until(reader)}
    from free where s.code = free.code and s.unit = free.unit
    returning s.*`.execute(db)
  return rows[0] ?? null
}

export type SeriesKey = Pick<Series, 'code' | 'unit'>

/**
 * Writes how far it is, and with `also` what belongs to it, if the reader still has the series; false: another one has it. Either all of it
 * is written or nothing. `over`: others may have it now.
 */
export function writeStep(
  db: Db,
  reader: Reader,
  { code, unit }: SeriesKey,
  {
    change,
    over = false,
    also,
  }: { readonly change: Change; readonly over?: boolean; readonly also?: (db: Db) => Promise<void> },
): Promise<boolean> {
  const taken = over ? { taken_by: null, taken_until: null } : { taken_until: until(reader) }
  return db.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable('candle_series')
      .set({ ...change, ...taken })
      .where((where) => where.and({ code, unit, taken_by: reader.id }))
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return false
    await also?.(transaction)
    return true
  })
}
