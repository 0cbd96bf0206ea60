import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Orders whose end a person was promised, whichever process has them by then. Null allowed: a program from before this column, that still
 * runs beside newer ones, writes whole rows without it.
 */
export const cancelWanted: Migration = {
  async up(db) {
    await sql`alter table account_order add column cancel_wanted boolean`.execute(db)
  },
}
