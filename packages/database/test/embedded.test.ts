import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DISK_FAILED } from '../src/embedded/durable.ts'
import { DatabaseError } from '../src/errors.ts'
import { openDatabase } from '../src/open.ts'
import { embeddedDatabase, seedFolder, type TestDatabase } from './database.ts'
import { newFolder } from './new-folder.ts'
import { keptAll, killedAfter, startChild } from './writer.ts'

const PROCESSES = { timeout: 90_000 }

describe('the embedded database', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await embeddedDatabase()
  }, 180_000)
  afterAll(() => database[Symbol.asyncDispose]())

  test('a folder with something else in it, or of another version, is refused and left alone', async () => {
    const [full, old] = [newFolder(), newFolder()]
    mkdirSync(join(full, 'database'))
    writeFileSync(join(full, 'database', 'diary.txt'), '')
    await expect(openDatabase({ dataDir: full })).rejects.toThrow(/데이터베이스가 아닌 파일/)
    mkdirSync(join(old, 'database'))
    writeFileSync(join(old, 'database', 'PG_VERSION'), '17\n')
    await expect(openDatabase({ dataDir: old })).rejects.toThrow(/PostgreSQL 17/)
  })

  test('a failed statement does not harm the next, also inside a transaction', async () => {
    const { pool, db } = database
    await expect(pool.query('select 1/0')).rejects.toThrow(/zero/)
    const failing = db.transaction().execute(async (trx) => {
      await trx.insertInto('server_setting').values({ name: 'gone', value: '' }).execute()
      await trx.insertInto('server_setting').values({ name: 'gone', value: '' }).execute()
    })
    await expect(failing).rejects.toThrow(/duplicate/)
    expect(await db.selectFrom('server_setting').selectAll().execute()).toEqual([])
  })

  test('a client that is cut in a transaction leaves nothing to the next one', async () => {
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`insert into server_setting values ('half', '')`)
    client.release(true)
    const { rows } = await database.pool.query('select * from server_setting')
    expect(rows).toEqual([])
  })

  test('large replies and many parameters come whole', async () => {
    const { rows } = await database.pool.query(`select repeat('가', 1000000) as text`)
    expect(rows[0].text).toHaveLength(1_000_000)
    const many = Array.from({ length: 5_000 }, (_, at) => at)
    const { rows: sums } = await database.pool.query('select sum(n)::bigint as sum from unnest($1::bigint[]) n', [many])
    expect(sums).toEqual([{ sum: 12_497_500 }])
  })

  test('is not opened twice in one process', async () => {
    await expect(openDatabase({ dataDir: database.dataDir, lockWaitMs: 0 })).rejects.toThrow(/다른 Digger/)
  })
})

test(
  'a second process is refused with the first one’s number, and let in when that is killed: every commit is there',
  PROCESSES,
  async () => {
    const dataDir = newFolder()
    await seedFolder(dataDir)
    const first = startChild(dataDir, 'write')
    expect((await first.lines.next()).value).toBe('open')
    const second = startChild(dataDir)
    const refusal = String((await second.lines.next()).value)
    expect(refusal).toMatch(new RegExp(`^refused .*프로세스 ${first.child.pid}`))
    await expect(openDatabase({ dataDir, lockWaitMs: 0 })).rejects.toThrow(DatabaseError)
    expect(await keptAll(dataDir, await killedAfter(57, first))).toBe(true)
  },
)

test('a disk that refuses ends the engine before the commit is called done', PROCESSES, async () => {
  const dataDir = newFolder()
  await seedFolder(dataDir)
  const { child, lines } = startChild(join(dataDir, 'database'), '', 'bad-disk.ts')
  expect((await lines.next()).value).toBe('open')
  const ended = once(child, 'exit')
  expect((await lines.next()).done).toBe(true)
  expect(await ended).toEqual([DISK_FAILED, null])
})
