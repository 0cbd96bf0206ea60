import type { Stop } from '@digger/core'
import type { Db } from '@digger/database'
import type { ClientBase } from 'pg'

const NAME = 'serverStop'
const STRICTNESS: readonly Stop[] = ['active', 'reduce', 'halt']

export interface StoredStop {
  readonly stop: Stop
  /** Why, where no person set it. */
  readonly why: string | null
  /** Grows with each change, by whatever process; 0: nobody has ever set it. */
  readonly version: number
}

/** The row as it stands in the tables. */
export interface StopRow {
  readonly value: string
  readonly why: string | null
  readonly version: number
}

export async function readServerStop(db: Db): Promise<StoredStop> {
  const row = await db
    .selectFrom('server_setting')
    .select(['value', 'why', 'version'])
    .where('name', '=', NAME)
    .executeTakeFirst()
  return storedStop(row ?? null)
}

export function storedStop(row: StopRow | null): StoredStop {
  if (row === null) return { stop: 'active', why: null, version: 0 }
  const { value, why, version } = row
  if (value === 'active') return { stop: 'active', why: null, version }
  // A word that is not one of ours must not set anything free.
  return { stop: value === 'reduce' ? 'reduce' : 'halt', why, version }
}

/** What whoever sets a stop knew: the strictest that may be there, or the version of the one that is there. */
export type KnownStop = { readonly strictest: Stop } | { readonly seen: number }

/**
 * Returns its version. Null, and nothing is written, when there is a stop by now that whoever asked did not know of, and that is
 * stricter.
 */
export async function writeServerStop(db: Db, stop: Stop, known: KnownStop): Promise<number | null> {
  const strictest = 'seen' in known ? stop : known.strictest
  const notStricter = STRICTNESS.slice(0, STRICTNESS.indexOf(strictest) + 1)
  const row = await db
    .insertInto('server_setting')
    .values({ name: NAME, value: stop, why: null })
    .onConflict((conflict) => {
      const update = conflict.column('name').doUpdateSet({ value: stop, why: null })
      if (strictest === 'halt') return update
      return update.where((row) =>
        row.or([
          row('server_setting.value', 'in', notStricter),
          ...('seen' in known ? [row('server_setting.version', '=', known.seen)] : []),
        ]),
      )
    })
    .returning('version')
    .executeTakeFirst()
  return row?.version ?? null
}

/** Halts the server with a reason that no person gave, whatever there is. `client`: in whose transaction. */
export async function haltServer(client: Pick<ClientBase, 'query'>, why: string): Promise<void> {
  await client.query(
    `insert into server_setting (name, value, why) values ($1, 'halt', $2)
     on conflict (name) do update set value = 'halt', why = excluded.why`,
    [NAME, why],
  )
}
