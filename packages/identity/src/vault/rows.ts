import { sql } from 'kysely'
import type { Db, AdminKeyRow, VaultRow } from '@digger/database'
import { HPKE_FORM } from './hpke.ts'

export const findVault = (db: Db, userId: string): Promise<VaultRow | undefined> =>
  db.selectFrom('vault').selectAll().where('user_id', '=', userId).executeTakeFirst()

export async function insertVault(db: Db, row: VaultRow): Promise<void> {
  await db.insertInto('vault').values(row).execute()
}

/** `atVersion`: only while the key is still of that version. False when it is not. */
export async function updateVault(
  db: Db,
  userId: string,
  change: Partial<Omit<VaultRow, 'user_id'>>,
  atVersion?: number,
): Promise<boolean> {
  const update = db.updateTable('vault').set(change).where('user_id', '=', userId)
  const guarded = atVersion === undefined ? update : update.where('key_version', '=', atVersion)
  const { numUpdatedRows } = await guarded.executeTakeFirst()
  return numUpdatedRows > 0n
}

export const wrappedByMaster = (db: Db, masterMark: string): Promise<VaultRow[]> =>
  db.selectFrom('vault').selectAll().where('master_mark', '=', masterMark).execute()

/**
 * Begins the transaction that replaces a master key: waits for writers of vaults, and lets no other write before its end.
 * From then on the database takes no wrap by the old one (migration 0205).
 */
export async function retireMaster(db: Db, oldMark: string, newMark: string, at: number): Promise<void> {
  await sql`lock table vault in share row exclusive mode`.execute(db)
  await db
    .insertInto('retired_master')
    .values({ mark: oldMark, retired_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await db.deleteFrom('retired_master').where('mark', '=', newMark).execute()
}

export const isRetired = async (db: Db, masterMark: string): Promise<boolean> =>
  (await db.selectFrom('retired_master').select('mark').where('mark', '=', masterMark).executeTakeFirst()) !== undefined

/** Whose key a restart should open and another master key than this one wraps. */
export async function heldByOtherMaster(db: Db, masterMark: string): Promise<string[]> {
  const held = db.selectFrom('vault').select('user_id').where('held', '=', true).where('master_mark', '!=', masterMark)
  return (await held.execute()).map(({ user_id }) => user_id)
}

/** Vaults that the master key may open again after a restart. */
export const heldVaults = async (db: Db, masterMark: string): Promise<VaultRow[]> =>
  (await wrappedByMaster(db, masterMark)).filter(({ held }) => held)

export const findAdminKey = (db: Db, adminId: string): Promise<AdminKeyRow | undefined> =>
  db.selectFrom('admin_key').selectAll().where('admin_id', '=', adminId).executeTakeFirst()

/** False when they are no administrator any more: the one who was just revoked must not get a new pair. */
export const insertAdminKey = (db: Db, row: AdminKeyRow): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom('users')
      .select('digger_admin')
      .where('id', '=', row.admin_id)
      .forShare()
      .executeTakeFirst()
    if (user?.digger_admin !== true) return false
    await trx
      .insertInto('admin_key')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return true
  })

/** Who was an administrator, or lost the password, may no longer open what was sealed for them: the keys change too. */
export async function dropAdminKey(db: Db, adminId: string): Promise<void> {
  await rotateSharedWith(db, adminId)
  await db.deleteFrom('admin_key').where('admin_id', '=', adminId).execute()
}

/** Every user whose key this administrator could open gets a new one at the next log-in. */
export async function rotateSharedWith(db: Db, adminId: string): Promise<void> {
  await db
    .updateTable('vault')
    .set({ rotation_due: true })
    .where('user_id', 'in', db.selectFrom('vault_share').select('user_id').where('admin_id', '=', adminId))
    .execute()
}

export async function updateAdminKey(
  db: Db,
  { admin_id, public_key }: AdminKeyRow,
  change: Partial<Omit<AdminKeyRow, 'admin_id'>>,
): Promise<void> {
  await db
    .updateTable('admin_key')
    .set(change)
    .where('admin_id', '=', admin_id)
    .where('public_key', '=', public_key)
    .execute()
}

const selectRecipientKeys = (db: Db) =>
  db
    .selectFrom('admin_key')
    .innerJoin('users', 'users.id', 'admin_key.admin_id')
    .select(['admin_id', 'public_key'])
    .where('users.digger_admin', '=', true)

/** Every administrator that a key can be sealed for. */
export const recipientKeys = (db: Db): Promise<Pick<AdminKeyRow, 'admin_id' | 'public_key'>[]> =>
  selectRecipientKeys(db).execute()

const isSealedByHpke = sql<boolean>`substring(vault_share.sealed from 1 for 1) = ${Buffer.of(HPKE_FORM)}::bytea`

/** Administrators who could not open this user's key yet, or whose share has an earlier form. */
export const adminsWithoutShare = (db: Db, userId: string): Promise<Pick<AdminKeyRow, 'admin_id' | 'public_key'>[]> =>
  selectRecipientKeys(db)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('vault_share')
            .select('vault_share.admin_id')
            .whereRef('vault_share.admin_id', '=', 'admin_key.admin_id')
            .where('vault_share.user_id', '=', userId)
            .where(isSealedByHpke),
        ),
      ),
    )
    .execute()

/** Of these users whose key is open. */
export const heldVersions = (
  db: Db,
  userIds: readonly string[],
): Promise<Pick<VaultRow, 'user_id' | 'key_version'>[]> =>
  db
    .selectFrom('vault')
    .select(['user_id', 'key_version'])
    .where('held', '=', true)
    .where(sql<boolean>`user_id = any(${[...userIds]}::text[])`)
    .execute()

/** Which of these users' keys some administrator could not open yet, or has in an earlier form. */
export async function usersWithoutShare(db: Db, userIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ user_id: string }>`
    select distinct vault.user_id from vault cross join admin_key join users on users.id = admin_key.admin_id
    where vault.user_id = any(${[...userIds]}::text[]) and users.digger_admin and not exists (
      select from vault_share where vault_share.user_id = vault.user_id and vault_share.admin_id = admin_key.admin_id
        and ${isSealedByHpke})`.execute(db)
  return rows.map(({ user_id }) => user_id)
}

export interface Share {
  readonly userId: string
  readonly adminId: string
  /** What it was sealed for: a pair or a key that was replaced meanwhile gets no share. */
  readonly publicKey: Buffer
  readonly keyVersion: number
  readonly sealed: Buffer
}

/**
 * A share that is there stays, unless it has an earlier form. It waits for whoever changes the key or the pair in this moment: a
 * share of the old one, stored beside their deleting it, would stay and open nothing.
 */
export async function putShare(db: Db, { userId, adminId, publicKey, keyVersion, sealed }: Share): Promise<void> {
  await sql`
    insert into vault_share (user_id, admin_id, sealed)
    select vault.user_id, admin_key.admin_id, ${sealed}::bytea from vault, admin_key
    where vault.user_id = ${userId} and vault.key_version = ${keyVersion}
      and admin_key.admin_id = ${adminId} and admin_key.public_key = ${publicKey}
    for share of vault, admin_key
    on conflict (user_id, admin_id) do update set sealed = excluded.sealed where not (${isSealedByHpke})`.execute(db)
}

export async function dropShares(db: Db, of: { userId: string } | { adminId: string }): Promise<void> {
  const all = db.deleteFrom('vault_share')
  await ('userId' in of ? all.where('user_id', '=', of.userId) : all.where('admin_id', '=', of.adminId)).execute()
}

export const findShare = (db: Db, userId: string, adminId: string): Promise<{ sealed: Buffer } | undefined> =>
  db
    .selectFrom('vault_share')
    .select('sealed')
    .where('user_id', '=', userId)
    .where('admin_id', '=', adminId)
    .executeTakeFirst()

export const sharesOf = (
  db: Db,
  adminId: string,
): Promise<{ user_id: string; sealed: Buffer; key_version: number }[]> =>
  db
    .selectFrom('vault_share')
    .innerJoin('vault', 'vault.user_id', 'vault_share.user_id')
    .select(['vault_share.user_id', 'sealed', 'key_version'])
    .where('admin_id', '=', adminId)
    .execute()

export const tokensOf = (db: Db, userId: string): Promise<{ env: string; sealed: Buffer }[]> =>
  db.selectFrom('broker_token').select(['env', 'sealed']).where('user_id', '=', userId).execute()

/** Null: it cannot be opened, so the broker is asked for a new one. */
export async function putToken(db: Db, userId: string, env: string, sealed: Buffer | null): Promise<void> {
  const where = { user_id: userId, env }
  if (sealed === null)
    await db
      .deleteFrom('broker_token')
      .where((each) => each.and(where))
      .execute()
  else
    await db
      .updateTable('broker_token')
      .set({ sealed })
      .where((each) => each.and(where))
      .execute()
}
