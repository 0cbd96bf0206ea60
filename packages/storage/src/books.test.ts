import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { SETTINGS } from '../test/settings.ts'
import { loadBook } from './books.ts'
import { loadOrCreate } from './load.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})

const NOW = Date.UTC(2026, 0, 5, 1)

/** A user who holds one lot that cost so many won, with a sale of two lots before it that rests. */
async function holding(userId: string, won: string): Promise<void> {
  const { db } = database
  await sql`insert into users (id, email, password_hash, account_masked, account_mark, created_at)
    values (${userId}, ${userId}, '', '', ${Buffer.from(userId)}, 0)`.execute(db)
  await loadOrCreate(database, userId, NOW)
  await sql`insert into stock (user_id, code, name, market, kind, nxt, settings, stop, kept, price_subscribed, acc_gain_amount,
      rejects, version, updated_at)
    values (${userId}, '005930', '삼성전자', 'KOSPI', 'stock', true, ${JSON.stringify(SETTINGS)}, 'active', 0, true, -9007199254740991,
      0, 1, 0)`.execute(db)
  await sql`insert into trade (user_id, id, code, count, buy_price, buy_amount, bought_at, held_back, taken_over, by_person,
      bought_before, closed)
    values (${userId}, 10, '005930', 3, 70000, ${won}::bigint, ${NOW}, false, false, false, 0, false),
      (${userId}, 9, '005930', 1, 70000, 70000, ${NOW}, true, true, true, 5, false)`.execute(db)
  await sql`insert into account_order (user_id, id, code, side, origin, type, price, count, venue, session, status, live, day,
      filled_count, filled_amount, reserved_price, created_at, updated_at, why, cancel_asked)
    values (${userId}, 1, '005930', 'sell', 'auto', 'limit', 71000, 4, 'KRX', 'regular', 'open', true, '20260105', 0, 0, 0, 0, 0,
      '"왜" \\ 그런지', false)`.execute(db)
  await sql`insert into order_lot (user_id, order_id, position, lot_id, count, live)
    values (${userId}, 1, 1, 9, 1, true), (${userId}, 1, 0, 10, 3, true)`.execute(db)
}

test('numbers up to 2^53 come as they are, in their order, and words of any kind', async () => {
  await holding('exactexact', '9007199254740991')
  const book = (await loadBook(database.db, 'exactexact'))?.book
  const stock = book?.stocks.get('005930')
  expect(stock).toMatchObject({ name: '삼성전자', settings: SETTINGS, accGainAmount: -9007199254740991, frozen: null })
  const [first, second] = stock?.lots ?? []
  expect(first).toMatchObject({ id: 9, heldBack: true, takenOver: true, byPerson: true, boughtBefore: 5 })
  expect(second).toEqual({
    id: 10,
    count: 3,
    buyPrice: 70_000,
    buyAmount: 9007199254740991,
    boughtAt: NOW,
    buyOrderId: null,
    heldBack: false,
    takenOver: false,
  })
  const lots = [
    { lotId: 10, count: 3 },
    { lotId: 9, count: 1 },
  ]
  expect([...(book?.orders.values() ?? [])]).toMatchObject([
    { id: 1, price: 71_000, why: '"왜" \\ 그런지', odno: null, lots },
  ])
})

test('a row that a program from before `cancel_wanted` wrote has no wish, and one with a wish keeps it', async () => {
  const { db } = database
  await holding('wishwishwish', '210000')
  const wish = async () => (await loadBook(db, 'wishwishwish'))?.book.orders.get(1)?.cancelWanted
  const before = await wish()
  await sql`update account_order set cancel_wanted = true where user_id = 'wishwishwish'`.execute(db)
  expect([before, await wish()]).toEqual([false, true])
})

test('a number beyond 2^53 is refused instead of rounded', async () => {
  await holding('beyondthat', '9007199254740993')
  await expect(loadBook(database.db, 'beyondthat')).rejects.toThrow(
    /beyondthat: buy_amount 9007199254740992 is beyond 2\^53/,
  )
})
