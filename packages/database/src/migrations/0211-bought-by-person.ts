import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who bought a lot: a ladder does not follow what its person bought beside it. Of the lots so far nobody knows. */
export const boughtByPerson: Migration = {
  async up(db) {
    await sql`alter table trade add column by_person boolean not null default false`.execute(db)
    await sql`alter table trade alter column by_person drop default`.execute(db)
  },
}
