import { existsSync } from 'node:fs'
import { testDatabase, TestClock } from '@digger/database/testing'
import { expect, test } from 'vitest'
import { Histories } from '../src/history.ts'
import { importCandles } from '../src/import/import-file.ts'
import { addAccount, ME } from './fixture.ts'

const NOW = Date.parse('2026-11-27T21:00:00+09:00')
/** Candles of all stocks, beside the project: it is no part of it. */
const REAL = new URL('../../../../shared/data/krx-daily-20260102-20260206.csv.gz', import.meta.url).pathname

test.skipIf(!existsSync(REAL))('a month of all stocks is imported whole (skipped without one)', async () => {
  await using database = await testDatabase()
  const { db } = database
  await addAccount(db, ['000020'])
  const found = await importCandles(db, REAL, { prices: 'traded', fill: false }, NOW)
  expect(found.problems).toEqual([])
  expect(found.codes).toBeGreaterThan(2_500)
  const { days } = await new Histories(db, new TestClock(NOW)).stock(ME, '000020', { unit: 'day' })
  expect(days.slice(0, 2)).toEqual(['20260102', '20260105'])
})
