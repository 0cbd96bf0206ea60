import { testDatabase, type TestDatabase } from '@digger/database/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ClosingPrices } from './closing-prices.ts'

const CLOSE = { day: '20261120', close: 70_000, base: 69_000 }
let database: TestDatabase
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(() => database[Symbol.asyncDispose]())

test('what was noted is there after a restart, the newest of each issue', async () => {
  const first = new ClosingPrices(database.db)
  first.note('005930', CLOSE)
  first.note('000660', CLOSE)
  expect(first.busy).toBe(false)
  const writing = first.write()
  expect(first.busy).toBe(true)
  await writing
  first.note('005930', { ...CLOSE, day: '20261123', close: 71_000 })
  await first.write()
  await first.write()
  expect(first.busy).toBe(false)
  const second = new ClosingPrices(database.db)
  expect(second.of('005930')).toBe(undefined)
  await second.load()
  expect([second.of('005930'), second.of('000660')]).toEqual([{ ...CLOSE, day: '20261123', close: 71_000 }, CLOSE])
})

test('what cannot be written now is written later', async () => {
  const closings = new ClosingPrices(database.db)
  closings.note('005930', { ...CLOSE, close: -1 })
  await expect(closings.write()).rejects.toThrow('closing_price')
  expect([closings.busy, closings.of('005930')?.close]).toEqual([false, -1])
  closings.note('005930', CLOSE)
  await closings.write()
  const again = new ClosingPrices(database.db)
  await again.load()
  expect(again.of('005930')).toEqual(CLOSE)
})
