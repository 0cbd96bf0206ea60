import { kstInstant } from '@digger/core'
import { TestClock, type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Exports } from '../src/index.ts'
import { addAccount, addLots, ME } from './account.ts'
import { lotOf } from './lots.ts'

/*
 * No transaction is held over the pages: what is sold while a file is made was held on an earlier page, and would be among the sold
 * ones on a later one.
 */

const TODAY = '20261120'
/** More than a page of them, so that another one is read behind them. */
const HELD = 300
let database: TestDatabase

beforeEach(async () => {
  database = await testDatabase()
  await addAccount(database.db)
  await addLots(
    database.db,
    Array.from({ length: HELD }, (_, n) => lotOf({ id: n + 1, bought: '20261119', sold: null })),
  )
})
afterEach(() => database[Symbol.asyncDispose]())

/** The newest lot, which is on the first page. */
const sellNewest = () =>
  database.db
    .updateTable('trade')
    .set({ closed: true, sell_price: 71_000, sell_amount: 142_000, sell_day: TODAY, fee: 42, tax: 284 })
    .set({ sold_at: kstInstant(TODAY, '100000') })
    .where('id', '=', HELD)
    .execute()

test('a lot that is sold while a file is made is in it once', async () => {
  const exports = new Exports(database.db, new TestClock())
  const { body } = await exports.table({ person: ME, userId: ME }, 'trades', {})
  const ids: string[] = []
  for await (const part of body) {
    if (ids.length === 0) await sellNewest()
    ids.push(
      ...String(part)
        .split('\r\n')
        .slice(0, -1)
        .map((line) => line.split(',')[0] ?? ''),
    )
  }
  expect(ids.filter((id) => id === String(HELD))).toHaveLength(1)
  expect(new Set(ids).size).toBe(ids.length)
})
