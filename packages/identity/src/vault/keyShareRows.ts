import { sql } from 'kysely'
import type { Db } from '@digger/database'

export interface KeyShareRow {
  readonly user_id: string
  readonly recipient: string
  readonly key_version: number
  readonly sealed: Buffer
}

/** A share that somebody has not got. */
export type MissingShare = Pick<KeyShareRow, 'user_id' | 'recipient'>

/**
 * Only for the key as it is now, and only while it is to be held: whoever closes or replaces it meanwhile is waited for. A share
 * that is there stays.
 */
export async function putKeyShares(db: Db, shares: readonly KeyShareRow[]): Promise<void> {
  if (shares.length === 0) return
  const column = <K extends keyof KeyShareRow>(name: K) => shares.map((share) => share[name])
  await sql`
    insert into key_share (user_id, recipient, key_version, sealed)
    select vault.user_id, given.recipient, given.key_version, given.sealed
    from unnest(${column('user_id')}::text[], ${column('recipient')}::text[], ${column('key_version')}::bigint[],
      ${column('sealed')}::bytea[]) as given (user_id, recipient, key_version, sealed)
    join vault on vault.user_id = given.user_id and vault.key_version = given.key_version and vault.held
    order by vault.user_id for share of vault
    on conflict (user_id, recipient) do nothing`.execute(db)
}

/** What opens the key that the user's vault has now. */
const usable = (db: Db) =>
  db
    .selectFrom('key_share')
    .innerJoin('vault', (join) =>
      join
        .onRef('vault.user_id', '=', 'key_share.user_id')
        .onRef('vault.key_version', '=', 'key_share.key_version')
        .on('vault.held', '=', true),
    )

export const findKeyShare = (db: Db, userId: string, recipient: string): Promise<KeyShareRow | undefined> =>
  usable(db)
    .selectAll('key_share')
    .where('key_share.user_id', '=', userId)
    .where('recipient', '=', recipient)
    .executeTakeFirst()

/** Users of these shards whose key this recipient can open. */
export async function usersSharedWith(db: Db, recipient: string, shards: readonly number[]): Promise<string[]> {
  if (shards.length === 0) return []
  const found = await usable(db)
    .select('key_share.user_id')
    .where('recipient', '=', recipient)
    .where(sql<boolean>`shard_of(key_share.user_id) = any(${[...shards]}::bigint[])`)
    .execute()
  return found.map(({ user_id }) => user_id)
}

/** Which of these recipients lack which of these users' keys. */
export async function missingKeyShares(
  db: Db,
  userIds: readonly string[],
  recipients: readonly string[],
): Promise<MissingShare[]> {
  const { rows } = await sql<MissingShare>`
    select vault.user_id, wanted.recipient
    from vault cross join unnest(${[...recipients]}::text[]) as wanted (recipient)
    where vault.held and vault.user_id = any(${[...userIds]}::text[]) and not exists (
      select from key_share where key_share.user_id = vault.user_id and key_share.recipient = wanted.recipient
        and key_share.key_version = vault.key_version)
    order by vault.user_id`.execute(db)
  return rows
}

/** Keys that one recipient can open and another cannot. */
export async function keysToPassOn(db: Db, from: string, recipients: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct key_share.user_id
    from key_share join vault on vault.user_id = key_share.user_id and vault.key_version = key_share.key_version and vault.held
    cross join unnest(${[...recipients]}::text[]) as wanted (recipient)
    where key_share.recipient = ${from} and not exists (
      select from key_share as other where other.user_id = key_share.user_id and other.recipient = wanted.recipient
        and other.key_version = key_share.key_version)`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

/** One that does not open: whoever has the key may make another. */
export const dropKeyShare = (db: Db, { user_id, recipient, sealed }: KeyShareRow): Promise<unknown> =>
  db
    .deleteFrom('key_share')
    .where('user_id', '=', user_id)
    .where('recipient', '=', recipient)
    .where('sealed', '=', sealed)
    .execute()

/** Of processes that were not there for so long, ms: nobody can open theirs. As `recipientOf` for every worker's public key. */
export const dropLostKeyShares = (db: Db, lostMs: number): Promise<unknown> =>
  sql`
    delete from key_share where not exists (
      select from worker where worker.until > now() - ${lostMs}::bigint * interval '1 ms'
        and substr(encode(sha256(worker.public_key), 'hex'), 1, 32) = key_share.recipient)`.execute(db)
