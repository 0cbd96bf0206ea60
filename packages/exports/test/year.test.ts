import type { BrokerProfit } from '@digger/contract'
import { TestClock, type TestDatabase, testDatabase } from '@digger/database/testing'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Exports } from '../src/index.ts'
import { dealsKey, NO_DEALS, readYear } from '../src/year/book.ts'
import { addAccount, addLots, addOrder, addOrdered, ME } from './account.ts'
import { lotOf } from './lots.ts'

let database: TestDatabase

beforeAll(async () => {
  database = await testDatabase()
  const { db } = database
  await addAccount(db)
  await addLots(db, [
    lotOf({ id: 1, bought: '20251230', sold: '20260105' }),
    lotOf({ id: 2, bought: '20260105', sold: '20260105', sell: 72_000, fee: 43, tax: 288 }),
    lotOf({ id: 3, bought: '20260105', sold: '20260107', sell: null }),
    lotOf({ id: 4, bought: '20260105', sold: null }),
    lotOf({ id: 5, bought: '20251229', sold: '20251230' }),
    lotOf({ id: 6, code: '000660', bought: '20261101', sold: '20270104' }),
    lotOf({ id: 7, bought: '20261119', sold: '20261120' }),
  ])
  await addOrder(db, { id: 1, day: '20251230' })
  await addOrder(db, { id: 2, day: '20260105' })
  await addOrder(db, { id: 3, day: '20260105', side: 'sell', filled_amount: 286_000, count: 4, filled_count: 4 })
  await addOrder(db, { id: 4, day: '20260105', side: 'sell', status: 'cancelled', filled_count: 0, filled_amount: 0 })
  await addOrder(db, { id: 5, day: '20261120', side: 'sell', filled_amount: 142_000 })
  // The broker's list has Digger's own, and two of a person's.
  await addOrdered(db, '20260105', '0000000002', 'buy', 140_000)
  await addOrdered(db, '20260105', '0000000077', 'buy', 69_000)
  await addOrdered(db, '20260106', '0000000002', 'sell', 71_000)
  await addOrdered(db, '20251230', '0000000078', 'buy', 1)
  await db.updateTable('stock').set({ kept: 5 }).where('code', '=', '069500').execute()
})
afterAll(() => database[Symbol.asyncDispose]())

describe('a year of an account', () => {
  test('has what was closed in it, the oldest sale first', async () => {
    const book = await readYear(database.db, ME, '2026', '20261231')
    expect(book?.lots.map(({ id }) => id)).toEqual([1, 2, 3, 7])
    expect((await readYear(database.db, ME, '2026', '20261119'))?.lots.map(({ id }) => id)).toEqual([1, 2, 3])
    expect((await readYear(database.db, ME, '2025', '20251231'))?.lots.map(({ id }) => id)).toEqual([5])
  })

  test('has each day’s deals of a stock: Digger’s by its orders, a person’s by the broker’s list', async () => {
    const book = await readYear(database.db, ME, '2026', '20261231')
    expect(book?.deals.get(dealsKey('20260105', '005930'))).toEqual({
      ...NO_DEALS,
      name: '삼성전자',
      buyAmount: 140_000,
      sellAmount: 286_000,
      // 0.015 % of each deal, cut to a won.
      fee: 21 + 42,
      tax: 284 + 288,
      gainAmount: 1_674 + 3_669,
      soldCost: 280_000,
      lotFee: 42 + 43,
      orders: 2,
      sales: 1,
      foreignBuyAmount: 69_000,
    })
    expect(book?.deals.get(dealsKey('20260106', '005930'))).toMatchObject({ orders: 0, foreignSellAmount: 71_000 })
    expect(book?.deals.get(dealsKey('20260107', '005930'))).toMatchObject({ corrections: 1, gainAmount: 0 })
    expect([...(book?.deals.keys() ?? [])].every((key) => key.startsWith('2026'))).toBe(true)
  })

  test('knows what is held beyond it, which are ETFs, and what is mixed with shares of a person’s own', async () => {
    const book = await readYear(database.db, ME, '2026', '20261231')
    expect(book?.heldBeyond).toEqual(
      new Map([
        ['000660', '20261101'],
        ['005930', '20260105'],
      ]),
    )
    expect([[...(book?.etfs ?? [])], [...(book?.mixed ?? [])]]).toEqual([['069500'], ['069500']])
  })
})

describe('the workbook', () => {
  const asked: string[][] = []
  const answer = async (from: string, to: string): Promise<BrokerProfit> => (
    asked.push([from, to]),
    { days: [], sales: [] }
  )
  const tieOut = async (clock: TestClock) => {
    const exports = new Exports(database.db, clock)
    const { body, headers } = await exports.year({ person: ME, userId: ME }, '2026', answer)
    if (!Buffer.isBuffer(body)) throw new Error('no workbook')
    const sheet = (await readXlsxFile(body)).find((one) => one.sheet === '증권사 대조')
    return { headers, days: sheet?.data.map(([first]) => String(first)) ?? [] }
  }
  const TODAY = '2026-11-20은 아직 끝나지 않아 견주지 않았습니다.'

  test('compares the days that are over, and says which one is not', async () => {
    const { headers, days } = await tieOut(new TestClock())
    expect(asked.splice(0).at(-1)).toEqual(['20261001', '20261119'])
    expect(days).toContain('2026-01-05')
    expect(days).not.toContain('2026-11-20')
    expect(days).toContain(TODAY)
    expect(headers['content-disposition']).toContain('filename="digger-2026.xlsx"')
  })

  test('of a year that is over compares all of it', async () => {
    const { days } = await tieOut(new TestClock(Date.parse('2027-01-05T10:00:00+09:00')))
    expect(asked.splice(0).at(-1)).toEqual(['20261001', '20261231'])
    expect(days).toContain('2026-11-20')
    expect(days).not.toContain(TODAY)
  })

  test('on its first day asks nobody', async () => {
    const { days } = await tieOut(new TestClock(Date.parse('2026-01-01T10:00:00+09:00')))
    expect(asked).toEqual([])
    expect(days.at(-1)).toBe(
      '증권사와 견주지 못했습니다. 이 해에는 아직 끝난 날이 없습니다. 다른 시트는 그대로 쓸 수 있습니다.',
    )
  })
})
