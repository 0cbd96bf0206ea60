import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dumpTo, loadFrom, openDatabase } from '@digger/database'
import { testDatabase, testPlace } from '@digger/database/testing'
import { expect, test } from 'vitest'
import { readPart, writePart } from '../src/parts.ts'
import { addSeries, claimSeries } from '../src/series.ts'
import { addAccount, daysFrom } from './fixture.ts'

const KEY = { code: '005930', unit: 'day', source: 'broker', generation: 0, part: '2026' } as const

test('candles, and how far their reading is, go into a copy of the database and come back', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'digger-candles-'))
  const path = join(folder, 'copy.gz')
  const bars = daysFrom('20260105', [70_000, 70_100, 69_900])
  {
    await using database = await testDatabase()
    await addAccount(database.db, ['005930'])
    await addSeries(database.db)
    await claimSeries(database.db, { id: 'a', claimMs: 60_000 }, { last: '20261127', minutesFrom: '20260829', now: 0 })
    await writePart(database.db, KEY, bars, true)
    await dumpTo(database.pool, path)
  }
  await using place = await testPlace({ empty: true })
  const to = { dataDir: place.config.DATA_DIR, databaseUrl: place.config.DATABASE_URL }
  await loadFrom(to, path)
  const copy = await openDatabase(to)
  expect((await readPart(copy.db, KEY))?.bars).toEqual(bars)
  expect(
    await copy.db.selectFrom('candle_series').select(['code', 'unit', 'taken_by']).orderBy('unit').execute(),
  ).toEqual([
    { code: '005930', unit: 'day', taken_by: 'a' },
    { code: '005930', unit: 'minute', taken_by: null },
  ])
  await copy.close()
  rmSync(folder, { recursive: true })
}, 180_000)
