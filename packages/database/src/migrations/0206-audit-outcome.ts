import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * An action and what came of it become two rows of the audit: the first is there before anything is done, and no row is
 * ever changed. `whole`: one row tells both, as every row did so far. `dropped`: what was asked never became an action.
 */
export const auditOutcome: Migration = {
  async up(db) {
    await sql`
      alter table audit
        add column stage text not null default 'whole' check (stage in ('whole', 'asked', 'outcome', 'dropped')),
        add column asked_id bigint references audit,
        add check ((asked_id is not null) = (stage in ('outcome', 'dropped')))`.execute(db)
    await sql`create unique index audit_outcome on audit (asked_id)`.execute(db)
  },
}
