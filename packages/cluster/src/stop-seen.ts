import { sql } from 'kysely'
import type { Db } from '@digger/database'
import { buryWorker } from './worker-rows.ts'

interface Deaf {
  /** Workers that may send and have not said that they applied the stop. */
  readonly deaf: readonly string[]
  /** Those whose lease was over: from now on each renewal of theirs fails. */
  readonly buried: readonly string[]
}

/**
 * Who may still trade without this version of the stop, beside `me`. That a lease is over is not enough: a renewal under way may
 * have read the stop of before. Burying is ordered against it by the row: it fails, or its row counts again.
 */
export async function deafTo(db: Db, version: number, me: string | null): Promise<Deaf> {
  const behind = await db
    .selectFrom('worker')
    .select(['id', sql<boolean>`until < now()`.as('isOver')])
    .where('buried', '=', false)
    .where('stop_seen', '<', version)
    .where('id', 'is distinct from', me)
    .execute()
  const [deaf, buried]: [string[], string[]] = [[], []]
  for (const { id, isOver } of behind) {
    if (isOver && (await buryWorker(db, id, { sessionIsGone: false }))) buried.push(id)
    else deaf.push(id)
  }
  return { deaf, buried }
}
