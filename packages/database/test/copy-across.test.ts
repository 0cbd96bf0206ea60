import { expect, test } from 'vitest'
import { loadFrom } from '../src/copy/load.ts'
import { type DatabasePlace, openDatabase } from '../src/open.ts'
import { embeddedDatabase, seedFolder } from './database.ts'
import { dumped, dumpOf, fileWith, rowsOf } from './dumps.ts'
import { newDatabase } from './new-database.ts'
import { newFolder } from './new-folder.ts'

async function programOf(place: DatabasePlace): Promise<string> {
  const database = await openDatabase(place)
  const { rows } = await database.pool.query<{ version: string }>('select version()')
  await database.close()
  return rows[0]?.version ?? ''
}

// From the embedded one only: the way back is the same.
test('a dump crosses from one PostgreSQL to another and back without a change', { timeout: 180_000 }, async () => {
  const { path, text } = await dumped(embeddedDatabase)
  const there = { databaseUrl: await newDatabase({ empty: true }), dataDir: '' }
  await loadFrom(there, path)
  const onServer = await dumpOf(there)
  expect(rowsOf(onServer)).toBe(rowsOf(text))
  const back = { dataDir: newFolder() }
  await seedFolder(back.dataDir)
  await loadFrom(back, fileWith(onServer))
  expect(rowsOf(await dumpOf(back))).toBe(rowsOf(text))
  expect(await programOf(back)).not.toBe(await programOf(there))
})
