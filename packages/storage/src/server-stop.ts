import type { Stop } from '@digger/core'
import type { Db } from '@digger/database'

const NAME = 'serverStop'
const STRICTNESS: readonly Stop[] = ['active', 'reduce', 'halt']

export interface StoredStop {
  readonly stop: Stop
  /** Why, where no person set it. */
  readonly why: string | null
}

export async function readServerStop(db: Db): Promise<StoredStop> {
  const row = await db.selectFrom('server_setting').select(['value', 'why']).where('name', '=', NAME).executeTakeFirst()
  // A word that is not one of ours must not set anything free.
  if (row === undefined || row.value === 'active') return { stop: 'active', why: null }
  return { stop: row.value === 'reduce' ? 'reduce' : 'halt', why: row.why }
}

/** False, and nothing is written, when a stricter stop than `strictest` is there by now: whoever asked did not know of it. */
export async function writeServerStop(db: Db, stop: Stop, strictest: Stop): Promise<boolean> {
  const known = STRICTNESS.slice(0, STRICTNESS.indexOf(strictest) + 1)
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('server_setting')
    .values({ name: NAME, value: stop, why: null })
    .onConflict((conflict) => {
      const update = conflict.column('name').doUpdateSet({ value: stop, why: null })
      return strictest === 'halt' ? update : update.where('server_setting.value', 'in', known)
    })
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows > 0n
}
