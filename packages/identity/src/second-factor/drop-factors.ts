import type { Db } from '@digger/database'
import { endAccess } from '../users/end-access.ts'
import { updateVault } from '../vault/rows.ts'

export const dropCodes = (db: Db, userId: string): Promise<unknown> =>
  db.deleteFrom('recovery_code').where('user_id', '=', userId).execute()

/**
 * The way back for who has lost everything: a password is enough again. Sessions and API tokens end and no device is known, for somebody
 * else may have been in; all of it or nothing. False: there was no factor to drop.
 */
export function dropFactors(db: Db, userId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const totp = await trx.deleteFrom('totp').where('user_id', '=', userId).executeTakeFirst()
    const passkeys = await trx.deleteFrom('passkey').where('user_id', '=', userId).executeTakeFirst()
    await dropCodes(trx, userId)
    if (totp.numDeletedRows + passkeys.numDeletedRows === 0n) return false
    if (passkeys.numDeletedRows > 0n) await updateVault(trx, userId, { rotation_due: true })
    await endAccess(trx, userId)
    return true
  })
}
