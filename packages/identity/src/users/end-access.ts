import type { Db } from '@digger/database'
import { deleteApiTokens } from './api-tokens.ts'
import { forgetDevices } from './devices.ts'
import { deleteSessions } from './sessions.ts'

/** Whoever is in has to log in again as a stranger: sessions and API tokens end and no device is known. Within a transaction. */
export async function endAccess(trx: Db, userId: string): Promise<void> {
  await deleteSessions(trx, userId)
  await deleteApiTokens(trx, userId)
  await forgetDevices(trx, userId)
}
