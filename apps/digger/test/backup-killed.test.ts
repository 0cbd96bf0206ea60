import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertWhole, takeBackup, restoreBackup } from '@digger/backup'
import { type DatabasePlace, openDatabase } from '@digger/database'
import { testDatabase, type TestDatabase, testPlace } from '@digger/database/testing'
import { loadOrCreate } from '@digger/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cutAt, lookAtRenames, lookAtStatements } from './at-moments.ts'
import { leftIn } from './left-in.ts'

const into = mkdtempSync(join(tmpdir(), 'digger-killed-'))
let database: TestDatabase
let folder = ''

beforeAll(async () => {
  database = await testDatabase()
  const { db, pool } = database
  for (const id of ['killedkilledkill', 'secondsecondseco']) {
    const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from(id), created_at: 1 }
    await db
      .insertInto('users')
      .values({ id, email: `${id}@b.c`, ...row, digger_admin: false, bank_balance: 0 })
      .execute()
    await loadOrCreate({ db, pool }, id, 1_795_000_000_000)
  }
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
  rmSync(into, { recursive: true, force: true })
})

test('a backup is nothing at any moment, until it is whole', async () => {
  /** What the disk holds then. */
  const cuts: [moment: string, named: number, files: string[]][] = []
  const look = (moment: string): void => {
    const [making] = readdirSync(into)
    const named = readdirSync(into).filter((name) => !name.startsWith('.making-')).length
    cuts.push([moment, named, readdirSync(join(into, making ?? '')).toSorted()])
  }
  const ends = [
    lookAtStatements((text) => (text.startsWith('fetch') && cuts.length === 0 ? () => look('in the rows') : undefined)),
    lookAtRenames((text) => look(text.split(' ')[0] ?? '')),
  ]
  const backup = await takeBackup({ pool: database.pool, kind: database.kind, takenAt: Date.now() }, into)
  for (const end of ends) end()
  expect(cuts).toEqual([
    ['in the rows', 0, ['rows.gz']],
    ['before', 0, ['manifest.json', 'rows.gz']],
    ['after', 1, ['manifest.json', 'rows.gz']],
  ])
  await assertWhole(backup)
  folder = backup.folder
})

const ROWS_ARE_IN = /^update shard set facts/
const QUESTION = /^with given as/

/** What its process leaves whose statements reach the database no more from this one on, as after kill -9. */
describe('a restore whose line is cut', () => {
  test.each<[string, RegExp[], string]>([
    ['while the rows are put in', [/^insert into "account"/], 'empty'],
    ['before the rows are committed', [/^commit$/], 'empty'],
    ['once they are', [ROWS_ARE_IN], 'refused'],
    ['between the questions to two people', [QUESTION, QUESTION], 'refused'],
    ['before it says that it is whole', [ROWS_ARE_IN, /^insert into server_setting/], 'refused'],
    ['never', [/^never$/], 'halted'],
  ])('%s', async (_name, moments, left) => {
    await using elsewhere = await testPlace({ empty: true })
    const place: DatabasePlace = {
      dataDir: elsewhere.config.DATA_DIR,
      databaseUrl: elsewhere.config.DATABASE_URL,
    }
    const end = cutAt(...moments)
    const restored = await restoreBackup(folder, place).then(
      () => 'whole',
      () => 'cut',
    )
    end()
    expect([restored, await leftIn(place)]).toEqual([left === 'halted' ? 'whole' : 'cut', left])
    if (left !== 'empty') return
    // And that takes another one.
    expect(await restoreBackup(folder, place)).toMatchObject({ accounts: 2, differences: [] })
    await (await openDatabase(place)).close()
  })
})
