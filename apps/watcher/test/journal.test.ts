import { afterAll, beforeAll, expect, test } from 'vitest'
import { testDatabase, type TestDatabase } from '@digger/database/testing'
import { factOf } from '../src/journal-facts.ts'
import { Journal } from '../src/journal.ts'

const USER = 'watchedperson'
const DAY = '20261123'
const TODAY = Date.parse('2026-11-23T00:00:00+09:00')

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  await database.pool.query(
    `insert into users (id, email, password_hash, account_masked, account_mark, created_at)
     values ('${USER}', 'w@example.com', '', '', '', 0)`,
  )
  await database.pool.query(
    `insert into account (user_id, day, stop, next_order_id, next_lot_id, seq) values ('${USER}', '${DAY}', 'halt', 1, 1, 0)`,
  )
})
afterAll(() => database[Symbol.asyncDispose]())

let seq = 0
async function write(at: number, fact: object): Promise<void> {
  seq += 1
  const row = [USER, seq, at, JSON.stringify({ at, ...fact })]
  await database.pool.query('insert into journal (user_id, seq, at, fact) values ($1, $2, $3, $4)', row)
}
const order = (id: number, day: string) => ({
  kind: 'orderIntended',
  order: { id, code: '005930', side: 'buy', type: 'limit', count: 10, price: 70_000, day, note: null },
})

test('of days before it remembers stops and stocks, of today all, as it was at the mark and as it is', async () => {
  await write(TODAY - 3_000, { kind: 'stockAdded', code: '005930', name: '삼성전자' })
  await write(TODAY - 2_000, { kind: 'userStopped', stop: 'halt' })
  await write(TODAY - 2_000, { kind: 'stockStopped', code: '005930', stop: 'reduce' })
  await write(TODAY - 1_500, { kind: 'stockStopped', code: '005930', stop: 'active' })
  await write(TODAY - 1_000, order(1, '20261120'))
  await write(TODAY + 1_000, order(2, DAY))
  await write(TODAY + 2_000, { kind: 'orderAccepted', orderId: 2, odno: '0000000007', orgno: '06010' })
  const journal = new Journal(database.pool)
  const mark = await journal.newest(USER)
  await write(TODAY + 3_000, { kind: 'orderFilled', orderId: 2, count: 4, amount: 280_000 })
  const { before, after } = await journal.read(USER, DAY, mark)
  expect([...before.orders.values()]).toEqual([expect.objectContaining({ id: 2, odno: '7', filled: 0 })])
  expect(after.orders.get(2)).toMatchObject({ filled: 4 })
  expect(after.codes.get('005930')).toBe(TODAY - 3_000)
  expect(after.stops).toEqual([{ code: null, stop: 'halt', from: TODAY - 2_000, to: null }])
})

test('what was written of today and changed since is seen at the next look', async () => {
  const journal = new Journal(database.pool)
  await journal.read(USER, DAY, seq)
  await database.pool.query('alter table journal disable trigger journal_append_only')
  await database.pool.query(`update journal set fact = jsonb_set(fact, '{count}', '9') where seq = ${seq}`)
  expect((await journal.read(USER, DAY, seq)).after.orders.get(2)).toMatchObject({ filled: 9 })
})

test('a fact that cannot be read makes the journal unreadable, one of another kind is none of its business', async () => {
  expect(factOf({ kind: 'lotBought', at: 'never' })).toBeNull()
  await write(TODAY + 4_000, { kind: 'orderFilled', orderId: 2, count: 'four' })
  await expect(new Journal(database.pool).read(USER, DAY, seq)).rejects.toThrow(`row ${seq} of the journal`)
})
