import type { Stop } from '@digger/core'
import type { Db } from '@digger/database'

const NAME = 'serverStop'

export async function readServerStop(db: Db): Promise<Stop> {
  const row = await db.selectFrom('server_setting').select('value').where('name', '=', NAME).executeTakeFirst()
  // A word that is not one of ours must not set anything free.
  if (row === undefined || row.value === 'active') return 'active'
  return row.value === 'reduce' ? 'reduce' : 'halt'
}

export async function writeServerStop(db: Db, stop: Stop): Promise<void> {
  await db
    .insertInto('server_setting')
    .values({ name: NAME, value: stop })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: stop }))
    .execute()
}
