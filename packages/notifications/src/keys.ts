import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Db, readSecretFile } from '@digger/database'
import { newKey, seal, SealError, unseal } from '@digger/identity'
import { makeVapidKeys, type VapidKeys } from './channels/web-push.ts'

/**
 * The server's key for addresses in this file; made at the first start. Several processes have one from the secret that workers share.
 * Throws OperatorError where others may read it.
 */
export function addressKeyIn(file: string): Buffer {
  if (!existsSync(file)) {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    writeFileSync(file, `${newKey().toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  }
  return readSecretFile('NOTIFICATION_KEY_FILE', file)
}

const VAPID = 'push keys'

/**
 * The pair by which push services know this server, made at the first start. Where it does not open by today's key it is made anew:
 * browsers have to subscribe again then, and their channels say so.
 */
export async function vapidKeysOf(db: Db, key: Buffer): Promise<VapidKeys> {
  const stored = await read(db, key)
  if (stored !== null) return stored
  const made = makeVapidKeys()
  const value = seal(key, Buffer.from(JSON.stringify(made)), VAPID).toString('base64')
  await db
    .insertInto('server_setting')
    .values({ name: VAPID, value, why: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  // Another process may have been first.
  const first = await read(db, key)
  if (first !== null) return first
  await db.updateTable('server_setting').set({ value }).where('name', '=', VAPID).execute()
  return made
}

async function read(db: Db, key: Buffer): Promise<VapidKeys | null> {
  const row = await db.selectFrom('server_setting').select('value').where('name', '=', VAPID).executeTakeFirst()
  if (row === undefined) return null
  try {
    const keys: VapidKeys = JSON.parse(unseal(key, Buffer.from(row.value, 'base64'), VAPID).toString())
    return keys
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
