import { TestClock, type TestDatabase, testDatabase } from '@digger/database/testing'
import { sql } from 'kysely'
import type { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Exports } from '../src/index.ts'
import { PAGE_ROWS } from '../src/pages.ts'
import { addAccount, ME } from './account.ts'

const ROWS = 20_000
let database: TestDatabase
let exports: Exports

beforeAll(async () => {
  database = await testDatabase()
  exports = new Exports(database.db, new TestClock())
  await addAccount(database.db)
  // Each day has more of them than fit into a page.
  await sql`
    insert into trade (user_id, id, code, count, buy_price, buy_amount, bought_at, held_back, taken_over, by_person, bought_before, closed, sell_price, sell_amount,
      sold_at, sell_day, fee, tax)
    select ${ME}, n, '005930', 2, 70000, 140000, n, false, false, false, 0, true, 71000, 142000, n,
      to_char(date '2026-01-01' + (n / 700), 'YYYYMMDD'), 42, 284
    from generate_series(1, ${ROWS}) as n`.execute(database.db)
  await sql`
    insert into audit (at, user_id, by_email, action, detail)
    select n / 10, ${ME}, 'me@digger.test', '종목 저장', n::text from generate_series(1, ${ROWS}) as n`.execute(
    database.db,
  )
})
afterAll(() => database[Symbol.asyncDispose]())

async function open(table: 'trades' | 'audit'): Promise<Readable> {
  const { body } = await exports.table({ person: ME, userId: ME }, table, {})
  if (Buffer.isBuffer(body)) throw new Error('no stream')
  return body
}
const linesIn = (chunk: string): number => chunk.split('\r\n').length - 1

/** What it takes on: how much each part has, and how often the database was asked by then. */
function counting() {
  let statements = 0
  const { db } = database
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { exports: new Exports(counted, new TestClock()), statements: () => statements }
}

describe(`${ROWS.toLocaleString('en-US')} rows`, () => {
  test.each([
    ['trades', 0],
    ['audit', 3],
  ] as const)('%s: each once, in parts of a page', async (table, numberAt) => {
    const seen = new Set<string>()
    let largest = 0
    for await (const chunk of await open(table)) {
      const part = String(chunk)
      largest = Math.max(largest, linesIn(part))
      for (const line of part.split('\r\n')) seen.add(line.split(',')[numberAt] ?? '')
    }
    // The headings, and what is behind the last line end.
    expect(seen.size).toBe(ROWS + 2)
    expect(largest).toBeLessThanOrEqual(PAGE_ROWS + 1)
  })

  test('are read as they are taken: whoever does not read on holds a few pages and no more', async () => {
    const { exports: counted, statements } = counting()
    const { body } = await counted.table({ person: ME, userId: ME }, 'trades', {})
    if (Buffer.isBuffer(body)) throw new Error('no stream')
    const parts = body[Symbol.asyncIterator]()
    await parts.next()
    // The next page is on its way while this one is read, and then it stops.
    await expect.poll(statements).toBeGreaterThanOrEqual(3)
    await database.pool.query('select 1')
    expect(statements()).toBeLessThanOrEqual(5)
    let lines = 0
    for await (const part of body) lines += linesIn(String(part))
    expect(lines).toBeGreaterThan(ROWS - 2 * PAGE_ROWS)
  })

  test('what an account asks of the database meanwhile is answered between two pages', async () => {
    const stream = await open('trades')
    let [parts, partsAtAnswer] = [0, 0]
    for await (const part of stream) {
      parts += linesIn(String(part)) > 0 ? 1 : 0
      if (parts === 1) void database.pool.query('select 1').then(() => (partsAtAnswer = parts))
    }
    expect(parts).toBeGreaterThanOrEqual(ROWS / PAGE_ROWS)
    expect([partsAtAnswer > 0, partsAtAnswer < parts / 2]).toEqual([true, true])
  })

  test('a browser that leaves ends the reading', async () => {
    const { exports: counted, statements } = counting()
    const { body } = await counted.table({ person: ME, userId: ME }, 'trades', {})
    if (Buffer.isBuffer(body)) throw new Error('no stream')
    const closed = new Promise((resolve) => body.once('close', resolve))
    body.destroy()
    await closed
    const asked = statements()
    await database.pool.query('select 1')
    expect(statements()).toBeLessThanOrEqual(asked + 1)
    // Its place is free again.
    const [first, second] = [await open('trades'), await open('trades')]
    first.destroy()
    second.destroy()
  })
})
