import type { Pool } from 'pg'
import { type Clock, every } from '../clock.ts'

const MINUTE_MS = 60_000
// The engine has no background processes: nobody else writes checkpoints or removes dead rows.
const CHECKPOINT_INTERVAL_MS = 5 * MINUTE_MS
const VACUUM_INTERVAL_MS = 24 * 60 * MINUTE_MS
/** An hour of checkpoints: the log grows meanwhile, and the next start takes longer. */
const FAILURES_UNTIL_REPORT = 12

type Query = (sql: string) => Promise<{ rows: { name: string }[] }>

const TABLES = `select format('%I.%I', schemaname, tablename) as name from pg_tables
  where schemaname in ('public', 'pg_catalog') order by 1`

/** One table after the other: as one statement it would hold up every order until the last is done. */
async function vacuum(query: Query): Promise<void> {
  const { rows } = await query(TABLES)
  for (const { name } of rows) await query(`vacuum (analyze) ${name}`)
}

/** Returns the way to end it. `report` gets a line for the person who runs the server when it fails for an hour or a day. */
export function startUpkeep(pool: Pick<Pool, 'query'>, clock: Clock, report: (line: string) => void): () => void {
  const query: Query = (sql) => pool.query<{ name: string }>(sql)
  let stopped = false
  let failures = 0
  const checkpoint = (): Promise<void> =>
    query('checkpoint').then(
      () => void (failures = 0),
      (error: unknown) => {
        if (!stopped && ++failures % FAILURES_UNTIL_REPORT === 0)
          report(
            `내장 데이터베이스를 ${(failures * CHECKPOINT_INTERVAL_MS) / MINUTE_MS}분째 정리하지 못합니다: ${why(error)}`,
          )
      },
    )
  const clean = (): Promise<void> =>
    vacuum(query).catch((error: unknown) => {
      if (!stopped) report(`내장 데이터베이스의 하루 정리를 하지 못했습니다: ${why(error)}`)
    })
  // The machine's time is meant: a pretend market's may run a thousand times faster.
  const stops = [
    every(clock, CHECKPOINT_INTERVAL_MS, () => void checkpoint()),
    every(clock, VACUUM_INTERVAL_MS, () => void clean()),
  ]
  return () => {
    stopped = true
    for (const stop of stops) stop()
  }
}

const why = (error: unknown): string => (error instanceof Error ? error.message : String(error))
