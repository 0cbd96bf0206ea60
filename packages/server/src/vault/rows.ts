import type { Db } from '../db/open.ts'
import type { AdminKeyRow, VaultRow } from '../db/tables.ts'

export const findVault = (db: Db, userId: string): Promise<VaultRow | undefined> =>
  db.selectFrom('vault').selectAll().where('user_id', '=', userId).executeTakeFirst()

export async function insertVault(db: Db, row: VaultRow): Promise<void> {
  await db.insertInto('vault').values(row).execute()
}

export async function updateVault(db: Db, userId: string, change: Partial<Omit<VaultRow, 'user_id'>>): Promise<void> {
  await db.updateTable('vault').set(change).where('user_id', '=', userId).execute()
}

export const wrappedByMaster = (db: Db, masterMark: string): Promise<VaultRow[]> =>
  db.selectFrom('vault').selectAll().where('master_mark', '=', masterMark).execute()

/** Users whose key a master key may open again after a restart. */
export const heldVaults = async (db: Db, masterMark: string): Promise<VaultRow[]> =>
  (await wrappedByMaster(db, masterMark)).filter(({ held }) => held)

export const findAdminKey = (db: Db, adminId: string): Promise<AdminKeyRow | undefined> =>
  db.selectFrom('admin_key').selectAll().where('admin_id', '=', adminId).executeTakeFirst()

export async function putAdminKey(db: Db, row: AdminKeyRow): Promise<void> {
  await db.insertInto('admin_key').values(row).execute()
}

/** A lost password takes the private key with it; shares sealed for it go by cascade. */
export async function dropAdminKey(db: Db, adminId: string): Promise<void> {
  await db.deleteFrom('admin_key').where('admin_id', '=', adminId).execute()
}

export async function rewrapAdminKey(
  db: Db,
  adminId: string,
  change: Pick<AdminKeyRow, 'private_by_password' | 'password_salt'>,
): Promise<void> {
  await db.updateTable('admin_key').set(change).where('admin_id', '=', adminId).execute()
}

/** Administrators who could not open this user's key yet. */
export const adminsWithoutShare = (db: Db, userId: string): Promise<{ admin_id: string; public_key: Buffer }[]> =>
  db
    .selectFrom('admin_key')
    .innerJoin('users', 'users.id', 'admin_key.admin_id')
    .select(['admin_id', 'public_key'])
    .where('users.digger_admin', '=', true)
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('vault_share')
            .select('vault_share.admin_id')
            .whereRef('vault_share.admin_id', '=', 'admin_key.admin_id')
            .where('vault_share.user_id', '=', userId),
        ),
      ),
    )
    .execute()

export async function putShare(db: Db, userId: string, adminId: string, sealed: Buffer): Promise<void> {
  await db
    .insertInto('vault_share')
    .values({ user_id: userId, admin_id: adminId, sealed })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const findShare = (db: Db, userId: string, adminId: string): Promise<{ sealed: Buffer } | undefined> =>
  db
    .selectFrom('vault_share')
    .select('sealed')
    .where('user_id', '=', userId)
    .where('admin_id', '=', adminId)
    .executeTakeFirst()
