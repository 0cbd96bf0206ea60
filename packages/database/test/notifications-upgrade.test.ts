import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { notifications } from '../src/migrations/0221-notifications.ts'
import { testDatabase } from './testing.ts'

const [A, B] = ['aaaaaaaaaaaaaaaa', 'bbbbbbbbbbbbbbbb']
const TABLES = ['delivery', 'alarm', 'cursor', 'setting', 'channel'].map((name) => `notification_${name}`)

test('accounts that traded before there was anything to tell it begin where they stand, amid their orders', async () => {
  await using database = await testDatabase()
  const { db } = database
  for (const table of [...TABLES, 'notification', 'notification_bundle', 'telegram_link'])
    await sql`drop table ${sql.table(table)}`.execute(db)
  await sql`insert into users (id, email, password_hash, account_masked, account_mark, created_at)
    values (${A}, 'a@digger.test', 'x', '****1234', 'a', 0), (${B}, 'b@digger.test', 'x', '****1234', 'b', 0)`.execute(
    db,
  )
  await sql`insert into account (user_id, day, stop, next_order_id, next_lot_id, seq)
    values (${A}, '20261116', 'active', 1, 1, 77), (${B}, '20261116', 'active', 1, 1, 0)`.execute(db)
  await sql`
    insert into stock (user_id, code, name, market, kind, nxt, settings, stop, price_subscribed, acc_gain_amount, rejects, version, updated_at, kept)
    values (${A}, '005930', '삼성전자', 'KOSPI', 'stock', false, '{}', 'active', false, 0, 0, 1, 0, 0)`.execute(db)
  await sql`
    insert into account_order (user_id, id, code, side, origin, type, price, count, venue, session, status, live, day, filled_count,
      filled_amount, reserved_price, created_at, updated_at, why, cancel_asked)
    select ${A}, o.id, o.code, o.side, 'auto', 'limit', 100, 5000, 'KRX', 'regular', 'filled', false, o.day, o.filled, 100 * o.filled, 0, 0, 9, '', false
    from (values (1, '005930', 'buy', '20261116', 1234), (2, '000660', 'sell', '20261116', 1), (3, '005930', 'buy', '20261116', 5000),
      (4, '005930', 'buy', '20261116', 0), (5, '005930', 'buy', '20261113', 7)) o (id, code, side, day, filled)`.execute(
    db,
  )
  await notifications.up(db)
  expect(await db.selectFrom('notification_cursor').selectAll().orderBy('user_id').execute()).toEqual([
    { user_id: A, seq: 77 },
    { user_id: B, seq: 0 },
  ])
  // One that filled whole grows no more, and none of another day does.
  const rows = await db
    .selectFrom('notification')
    .select(['kind', 'at', 'code', 'text', 'state', 'fill'])
    .orderBy('text')
    .execute()
  const buy = {
    order: 1,
    side: 'buy',
    count: 1_234,
    amount: 123_400,
    net: null,
    totalCount: 1_234,
    totalAmount: 123_400,
  }
  const sale = { order: 2, side: 'sell', count: 1, amount: 100, net: null, totalCount: 1, totalAmount: 100 }
  expect(rows.toSorted((x, y) => (x.fill?.order ?? 0) - (y.fill?.order ?? 0))).toEqual([
    { kind: 'bought', at: 9, code: '005930', text: '삼성전자 1,234주를 샀습니다', state: 'off', fill: buy },
    { kind: 'sold', at: 9, code: '000660', text: '000660 1주를 팔았습니다', state: 'off', fill: sale },
  ])
})
