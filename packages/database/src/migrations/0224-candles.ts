import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Candles of the past, for everybody alike (docs/decisions/056-candles-kept.md). A row has the days of a year, or the minutes of a day,
 * packed: a row for each candle would take ten times the place and the reading.
 */
export const candles: Migration = {
  async up(db) {
    await sql`
      create table candle_series (
        code text not null,
        unit text not null check (unit in ('day', 'minute')),
        -- Which generation of parts is shown, and which one is being read: another one while all is read anew.
        shown bigint not null default 0,
        generation bigint not null default 0,
        -- Days that were asked for in the generation that is being read, both included.
        from_day text,
        to_day text,
        -- Nothing older is wanted, or to be had.
        is_complete boolean not null default false,
        -- When the reading of each of the two began, epoch ms.
        adjusted_at bigint,
        begun_at bigint,
        note text,
        -- Days in a row of which the broker had no minutes.
        empty_days bigint not null default 0,
        -- Not before, epoch ms.
        next_at bigint not null default 0,
        -- The process that reads it has it until then, by the clock of the database.
        taken_by text,
        taken_until timestamptz,
        primary key (code, unit)
      )`.execute(db)
    await sql`
      create table candle_part (
        code text not null,
        unit text not null check (unit in ('day', 'minute')),
        -- 'imported' goes before the broker's, 'fill' behind.
        source text not null check (source in ('broker', 'imported', 'fill')),
        generation bigint not null default 0,
        -- A year of days, or a day of minutes.
        part text not null,
        is_adjusted boolean not null,
        first_day text not null,
        last_day text not null,
        bars bytea not null,
        primary key (code, unit, source, generation, part)
      )`.execute(db)
  },
}
