import type { Settings } from '@digger/core'
import { type Database, openDatabase } from '@digger/database'
import { SETTINGS as EXAMPLE } from '@digger/engine/testing'
import { addSessions, addUsers } from './postgres.ts'

/** Shown, and neither bought nor sold. */
const SHOWN = { ...EXAMPLE, autoBuy: false, autoSell: false }

export interface WatchedUsers {
  readonly userIds: readonly string[]
  readonly cookies: readonly string[]
}

/** Users in an empty database who are logged in and have an account without stocks. */
export async function addLoggedIn(database: Database, count: number): Promise<WatchedUsers> {
  const userIds = await addUsers(database, count)
  await database.pool.query(
    `insert into account (user_id, day, stop, next_order_id, next_lot_id, seq, epoch)
     select who, '20261120', 'active', 1, 1, 0, shard.epoch
     from unnest($1::text[]) as who join shard on shard.id = shard_of(who)`,
    [userIds],
  )
  return { userIds, cookies: await addSessions(database, userIds) }
}

/** Each of the users has these stocks from the start. */
export async function giveStocks(
  { pool }: Pick<Database, 'pool'>,
  userIds: readonly string[],
  codes: readonly string[],
  settings: Settings = SHOWN,
): Promise<void> {
  await pool.query(
    `insert into stock (user_id, code, name, market, kind, nxt, settings, stop, kept, price_subscribed, acc_gain_amount,
       rejects, version, updated_at, checked_at)
     select who, code, code, 'KOSPI', 'stock', false, $3::jsonb, 'active', 0, true, 0, 0, 1, 1795140000000, 1795140000000
     from unnest($1::text[]) as who, unnest($2::text[]) as code`,
    [userIds, codes, settings],
  )
}

/** Users in an empty database who are logged in and all have the same stocks, which nobody buys or sells. */
export async function addWatchedUsers(
  databaseUrl: string,
  count: number,
  codes: readonly string[],
): Promise<WatchedUsers> {
  const database = await openDatabase({ databaseUrl, dataDir: '' })
  const users = await addLoggedIn(database, count)
  await giveStocks(database, users.userIds, codes)
  await database.pool.query('analyze')
  await database.close()
  return users
}
