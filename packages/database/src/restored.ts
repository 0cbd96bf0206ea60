import type { ClientBase } from 'pg'
import { DatabaseError } from './errors.ts'
import type { Db } from './handle.ts'

/** Where the rows of a database came from that was made of a backup. */
export interface Restored {
  /** Name of the backup. */
  readonly backup: string
  /** From when on things may be missing, and when they were put in, epoch ms. */
  readonly takenAt: number
  readonly restoredAt: number
  /** False: whoever put them in did not come to the end. */
  readonly isWhole: boolean
}

const NAME = 'restored'

export async function readRestored(db: Db): Promise<Restored | null> {
  const row = await db.selectFrom('server_setting').select('value').where('name', '=', NAME).executeTakeFirst()
  return row === undefined ? null : JSON.parse(row.value)
}

/** In the transaction of the one who has begun it. */
export async function writeRestored(client: Pick<ClientBase, 'query'>, restored: Restored): Promise<void> {
  await client.query(
    `insert into server_setting (name, value) values ($1, $2) on conflict (name) do update set value = excluded.value`,
    [NAME, JSON.stringify(restored)],
  )
}

/** Asked before anything is traded: without its last step the accounts of a restored copy would not ask their people. */
export async function assertRestored(db: Db): Promise<void> {
  const restored = await readRestored(db)
  if (restored === null || restored.isWhole) return
  throw new DatabaseError(
    `백업(${restored.backup})을 되살리다 중간에 끊긴 데이터베이스라 켜지 않습니다. 비운 뒤 npm run restore를 다시 해 주세요.`,
  )
}
