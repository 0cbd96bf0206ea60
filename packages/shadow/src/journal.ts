import type { Fact } from '@digger/core'
import type { Db } from '@digger/database'
import { FencedError } from '@digger/storage'
import { sql } from 'kysely'
import { EMPTY_STATE, evolveState, type ShadowState } from './state.ts'

const PAGE = 5_000

export interface LoadedShadow {
  readonly state: ShadowState
  /** Number of the newest row. */
  readonly seq: number
}

/** One rehearsal's facts after a row, oldest first. Throws where a row is missing. */
export async function* shadowFacts(
  db: Db,
  userId: string,
  after = 0,
): AsyncGenerator<{ readonly seq: number; readonly fact: Fact }> {
  for (let last = after; ;) {
    const rows = await db
      .selectFrom('shadow_fact')
      .select(['seq', 'fact'])
      .where('user_id', '=', userId)
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(PAGE)
      .execute()
    for (const row of rows) {
      if (row.seq !== last + 1) throw new Error(`${userId}: row ${last + 1} of the rehearsal is missing`)
      yield row
      last = row.seq
    }
    if (rows.length < PAGE) return
  }
}

export async function loadShadow(db: Db, userId: string): Promise<LoadedShadow> {
  let loaded: LoadedShadow = { state: EMPTY_STATE, seq: 0 }
  for await (const { seq, fact } of shadowFacts(db, userId)) loaded = { state: evolveState(loaded.state, fact), seq }
  return loaded
}

/** Where a rehearsal's journal stands, and of which owner of the account. */
export interface ShadowPosition {
  readonly seq: number
  readonly epoch: number
}

/**
 * Adds facts, all or none of them. Throws FencedError where the account is another process' by now; rows that another has written since
 * are refused by their numbers.
 */
export async function appendShadow(
  db: Db,
  userId: string,
  { seq, epoch }: ShadowPosition,
  facts: readonly Fact[],
): Promise<void> {
  const { rows } = await sql`
    insert into shadow_fact (user_id, seq, at, fact)
    select ${userId}, ${seq}::bigint + given.position, (given.fact ->> 'at')::bigint, given.fact
    from jsonb_array_elements(${JSON.stringify(facts)}::jsonb) with ordinality as given (fact, position)
    where exists (select 1 from account where user_id = ${userId} and epoch = ${epoch})
    returning seq`.execute(db)
  if (rows.length !== facts.length) throw new FencedError()
}
