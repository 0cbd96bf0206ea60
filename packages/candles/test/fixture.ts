import { addDays } from '@digger/core'
import type { Db } from '@digger/database'
import { sql } from 'kysely'
import { type Bar, dayNumber } from '../src/bar.ts'

/** Sixteen letters, as every user's id. */
export const ME = 'aaaaaaaaaaaaaaaa'
export const OTHER = 'bbbbbbbbbbbbbbbb'

/** An account that has these stocks. */
export async function addAccount(db: Db, codes: readonly string[], userId = ME): Promise<void> {
  const users = { id: userId, email: `${userId}@digger.test`, password_hash: 'x', digger_admin: false }
  const rest = { account_masked: '****1234', account_mark: Buffer.from(userId), bank_balance: 0, created_at: 0 }
  await db
    .insertInto('users')
    .values({ ...users, ...rest, password_ends_at: null })
    .execute()
  await sql`insert into account (user_id, day, stop, next_order_id, next_lot_id, seq) values (${userId}, '20261120', 'active', 1, 1, 0)`.execute(
    db,
  )
  for (const code of codes)
    await sql`
      insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
      values (${userId}, ${code}, ${`종목 ${code}`}, 'KOSPI', ${code === '069500' ? 'etf' : 'stock'}, true, '{}'::jsonb, 'active', true, 0, 0, 1, 0, 0)`.execute(
      db,
    )
}

/** A bar that closes at `close`. */
export const barAt = (at: number, close: number, change: Partial<Bar> = {}): Bar => ({
  at,
  open: close,
  high: close + 10,
  low: close - 10,
  close,
  volume: 1_000 + at,
  traded: close,
  ...change,
})

/** Days from a day on, one for each close. */
export const daysFrom = (day: string, closes: readonly number[]): Bar[] =>
  closes.map((close, n) => barAt(dayNumber(addDays(day, n)), close))

export const minutesFrom = (minute: number, closes: readonly number[]): Bar[] =>
  closes.map((close, n) => barAt(minute + n, close))
