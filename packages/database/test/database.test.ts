import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { DISK_FAILED } from '../src/embedded/durable.ts'
import { DatabaseError } from '../src/errors.ts'
import { type Database, openDatabase } from '../src/open.ts'
import { parseInt8 } from '../src/parsers.ts'
import { seedFolder, testDatabase } from './database.ts'
import { findPostgres } from './find-postgres.mjs'
import { type PostgresServer, startPostgres } from './postgres.ts'

const folders: string[] = []
const children: ChildProcess[] = []
afterEach(async () => {
  for (const child of children.splice(0))
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit')
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'digger-db-'))
  folders.push(folder)
  return folder
}

/** Lines a child prints, one by one. */
function startChild(dataDir: string, mode = 'hold', file = 'child.ts') {
  const child = spawn(process.execPath, [new URL(file, import.meta.url).pathname, dataDir, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  children.push(child)
  return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
}

/** Making a database takes three seconds on a quiet machine, and many more beside other work. */
const FROM_NOTHING = { timeout: 180_000 }
const PROCESSES = { timeout: 90_000 }

describe('the embedded database', () => {
  test('is made from nothing, also after an interrupted start, and keeps what was written', FROM_NOTHING, async () => {
    const dataDir = tempFolder()
    mkdirSync(join(dataDir, 'database.init', 'base'), { recursive: true })
    writeFileSync(join(dataDir, 'database.init', 'PG_VERSION'), '18\n')
    const first = await openDatabase({ dataDir })
    await first.db.insertInto('server_setting').values({ name: 'a', value: '값' }).execute()
    await first.close()
    const again = await openDatabase({ dataDir })
    expect(await again.db.selectFrom('server_setting').select(['name', 'value', 'why']).execute()).toEqual([
      { name: 'a', value: '값', why: null },
    ])
    const { rows } = await again.pool.query('show fsync')
    expect(rows).toEqual([{ fsync: 'on' }])
    await again.close()
  })

  test('a folder with something else in it, or of another version, is refused and left alone', async () => {
    const [full, old] = [tempFolder(), tempFolder()]
    mkdirSync(join(full, 'database'))
    writeFileSync(join(full, 'database', 'diary.txt'), '')
    await expect(openDatabase({ dataDir: full })).rejects.toThrow(/데이터베이스가 아닌 파일/)
    mkdirSync(join(old, 'database'))
    writeFileSync(join(old, 'database', 'PG_VERSION'), '17\n')
    await expect(openDatabase({ dataDir: old })).rejects.toThrow(/PostgreSQL 17/)
  })

  test('a failed statement does not harm the next, also inside a transaction', async () => {
    await using database = await testDatabase()
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
    await using database = await testDatabase()
    const client = await database.pool.connect()
    await client.query('begin')
    await client.query(`insert into server_setting values ('half', '')`)
    client.release(true)
    const { rows } = await database.pool.query('select * from server_setting')
    expect(rows).toEqual([])
  })

  test('large replies and many parameters come whole', async () => {
    await using database = await testDatabase()
    const { rows } = await database.pool.query(`select repeat('가', 1000000) as text`)
    expect(rows[0].text).toHaveLength(1_000_000)
    const many = Array.from({ length: 5_000 }, (_, at) => at)
    const { rows: sums } = await database.pool.query('select sum(n)::bigint as sum from unnest($1::bigint[]) n', [many])
    expect(sums).toEqual([{ sum: 12_497_500 }])
  })
})

describe('one owner', () => {
  test(
    'a second process is refused with the first one’s number, and let in when that is killed',
    PROCESSES,
    async () => {
      const dataDir = tempFolder()
      await seedFolder(dataDir)
      const holder = startChild(dataDir)
      expect((await holder.lines.next()).value).toBe('open')
      const second = startChild(dataDir)
      const refusal = String((await second.lines.next()).value)
      expect(refusal).toMatch(new RegExp(`^refused .*프로세스 ${holder.child.pid}`))
      await expect(openDatabase({ dataDir, lockWaitMs: 0 })).rejects.toThrow(DatabaseError)
      holder.child.kill('SIGKILL')
      await once(holder.child, 'exit')
      const after = await openDatabase({ dataDir })
      await after.close()
    },
  )

  test('twice in one process is refused as well', async () => {
    await using database = await testDatabase()
    await expect(openDatabase({ dataDir: database.dataDir, lockWaitMs: 0 })).rejects.toThrow(/다른 Digger/)
  })
})

test('kill -9 while writing loses no commit that was reported, and tears none', PROCESSES, async () => {
  const dataDir = tempFolder()
  await seedFolder(dataDir)
  let reported = 0
  for (let round = 0; round < 3; round++) {
    const { child, lines } = startChild(dataDir, 'write')
    await lines.next()
    const until = reported + 20 + round * 37
    while (reported < until) reported = Number((await lines.next()).value)
    child.kill('SIGKILL')
    for await (const line of { [Symbol.asyncIterator]: () => lines }) reported = Number(line)
  }
  const database = await openDatabase({ dataDir })
  const count = async (table: string) => (await database.pool.query(`select count(*) as n from ${table}`)).rows[0].n
  const [settings, failures] = [await count('server_setting'), await count('login_budget')]
  expect(settings).toBeGreaterThanOrEqual(reported)
  expect(settings).toBeLessThanOrEqual(reported + 1)
  expect(failures).toBe(settings)
  await database.close()
})

test('a disk that refuses ends the engine before the commit is called done', PROCESSES, async () => {
  const dataDir = tempFolder()
  await seedFolder(dataDir)
  const { child, lines } = startChild(join(dataDir, 'database'), '', 'bad-disk.ts')
  expect((await lines.next()).value).toBe('open')
  const ended = once(child, 'exit')
  expect((await lines.next()).done).toBe(true)
  expect(await ended).toEqual([DISK_FAILED, null])
})

describe.each([['9007199254740991'], ['-9007199254740991'], ['0']])('won %s', (text) => {
  test('comes as a number', () => expect(parseInt8(text)).toBe(Number(text)))
})
test.each([['9007199254740992'], ['-9223372036854775808']])('won %s beyond 2^53 is refused, not rounded', (text) => {
  expect(() => parseInt8(text)).toThrow(/2\^53/)
})

const columns = async ({ pool }: Database) => {
  const { rows } = await pool.query(
    `select table_name, column_name, data_type, is_nullable from information_schema.columns
     where table_schema = 'public' and table_name <> 'start_test' order by 1, ordinal_position`,
  )
  return rows
}

const bin = findPostgres()
describe.skipIf(bin === null)('PostgreSQL (skipped where none is installed)', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('gets the same tables from the same migrations as the embedded one, once', async () => {
    const databaseUrl = await server.newDatabase()
    const real = await openDatabase({ databaseUrl, dataDir: '' })
    await using embedded = await testDatabase()
    expect(await columns(real)).toEqual(await columns(embedded))
    await real.close()
    const again = await openDatabase({ databaseUrl, dataDir: '' })
    await again.close()
  })

  test('of a newer program are refused, with its version and what to do', async () => {
    const place = { databaseUrl: await server.newDatabase(), dataDir: '' }
    const now = await openDatabase(place)
    const { rows } = await now.pool.query('select distinct by_version from kysely_migration')
    expect(rows).toEqual([{ by_version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }])
    await now.pool.query("insert into kysely_migration values ('9001-future', '2030-01-01', '7.8.9')")
    await now.close()
    await expect(openDatabase(place)).rejects.toThrow(/더 새 Digger\(7\.8\.9\).*9001-future.*백업/)
  })

  test('a statement and an idle transaction cannot hold on for ever', async () => {
    const database = await openDatabase({ databaseUrl: await server.newDatabase(), dataDir: '' })
    const show = async (name: string) => (await database.pool.query(`show ${name}`)).rows
    expect(await show('statement_timeout')).toEqual([{ statement_timeout: '30s' }])
    const idle = 'idle_in_transaction_session_timeout'
    expect(await show(idle)).toEqual([{ [idle]: '1min' }])
    await database.close()
  })

  test('four tools starting at once migrate an empty database once', async () => {
    const databaseUrl = await server.newDatabase()
    const open = () => openDatabase({ databaseUrl, dataDir: '', exclusive: false })
    const all = await Promise.all([open(), open(), open(), open()])
    const { rows } = await all[0].pool.query('select count(*) as n from kysely_migration')
    expect(rows[0].n).toBeGreaterThanOrEqual(3)
    await Promise.all(all.map((database) => database.close()))
  })

  test('a second server on one database is refused by name; a tool is not', async () => {
    const databaseUrl = await server.newDatabase()
    const first = await openDatabase({ databaseUrl, dataDir: '' })
    const tool = await openDatabase({ databaseUrl, dataDir: '', exclusive: false })
    await tool.close()
    await expect(openDatabase({ databaseUrl, dataDir: '' })).rejects.toThrow(new RegExp(`${process.pid}`))
    await first.close()
    const next = await openDatabase({ databaseUrl, dataDir: '' })
    await next.close()
  })

  test('a restart of PostgreSQL is survived, and the claim is taken again', async () => {
    const databaseUrl = await server.newDatabase()
    const database = await openDatabase({ databaseUrl, dataDir: '' })
    await server.restart()
    await expect
      .poll(
        () =>
          database.pool.query('select 1 as one').then(
            ({ rows }) => rows[0].one,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(1)
    await expect
      .poll(
        () =>
          database.pool.query(`select 1 from pg_locks where locktype = 'advisory'`).then(({ rowCount }) => rowCount),
        {
          timeout: 10_000,
        },
      )
      .toBe(1)
    await database.close()
  })

  test('won come as numbers here too', async () => {
    const database = await openDatabase({ databaseUrl: await server.newDatabase(), dataDir: '' })
    const { rows } = await database.pool.query('select 1000000000000::bigint as won')
    expect(rows).toEqual([{ won: 1_000_000_000_000 }])
    await database.close()
  })
})

test('a server that cannot be reached is named without its password', async () => {
  const databaseUrl = 'postgres://digger:hunter2@127.0.0.1:9/digger'
  const error = await openDatabase({ databaseUrl, dataDir: '' }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DatabaseError)
  expect(String(error)).toMatch(/127\.0\.0\.1:9\/digger/)
  expect(String(error)).not.toMatch(/hunter2/)
})
