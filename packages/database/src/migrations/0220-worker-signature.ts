import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * That somebody who has the workers' secret made a worker's public key, for gateways, which have its public half only
 * (docs/decisions/042-keys-of-several-workers.md). Null of a program from before this column.
 */
export const workerSignature: Migration = {
  async up(db) {
    await sql`alter table worker add column signature bytea`.execute(db)
  },
}
