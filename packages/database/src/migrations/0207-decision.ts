import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * What each decision looked at, beside its facts in the journal: with it the decision can be run again. Accounts of before
 * have facts without it. `input` is the text of JSON and no jsonb: it holds words of the broker, and jsonb refuses some
 * characters that JSON has. Nothing that is only kept to explain an order may keep it from being written. The one statement
 * that writes it writes its facts too; a reference to them would be looked up, and cost, on the way of every order.
 */
export const decision: Migration = {
  async up(db) {
    await sql`
      create table decision (
        user_id text not null,
        seq bigint not null,
        facts bigint not null check (facts > 0),
        at bigint not null,
        input text not null,
        primary key (user_id, seq)
      )`.execute(db)
    await sql`
      create trigger decision_append_only before update or delete or truncate on decision
      for each statement execute function refuse_change()`.execute(db)
  },
}
