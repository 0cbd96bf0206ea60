import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { sql } from 'kysely'
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
  const stored = await read(db)
  const opened = stored === null ? null : open(key, stored)
  if (opened !== null) return opened
  const made = makeVapidKeys()
  const value = seal(key, Buffer.from(JSON.stringify(made)), VAPID).toString('base64')
  // Of several processes that make one the first is everybody's.
  await sql`
    insert into server_setting (name, value) values (${VAPID}, ${value})
    on conflict (name) do update set value = excluded.value where server_setting.value = ${stored}::text`.execute(db)
  const first = await read(db)
  return (first === null ? null : open(key, first)) ?? made
}

async function read(db: Db): Promise<string | null> {
  const row = await db.selectFrom('server_setting').select('value').where('name', '=', VAPID).executeTakeFirst()
  return row?.value ?? null
}

function open(key: Buffer, value: string): VapidKeys | null {
  try {
    const keys: VapidKeys = JSON.parse(unseal(key, Buffer.from(value, 'base64'), VAPID).toString())
    return keys
  } catch (error) {
    if (error instanceof SealError) return null
    throw error
  }
}
