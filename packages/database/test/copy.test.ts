import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dumpTo } from '../src/copy/dump.ts'
import { loadFrom } from '../src/copy/load.ts'
import { DatabaseError } from '../src/errors.ts'
import { type DatabasePlace, openDatabase } from '../src/open.ts'
import { seedFolder, testDatabase, testPlace } from './database.ts'
import { findPostgres } from './find-postgres.mjs'
import { type PostgresServer, startPostgres } from './postgres.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-copy-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const USER = 'abcdefghijklmnop'
/** Beyond what a JavaScript number keeps, letters of JSON and SQL, bytes, nulls, and names that are words of SQL. */
const FACT = '{"why": "\\"하나\\\\둘\\"\\n", "won": 9007199254740993, "none": null}'

/** A database with a row of every kind of column, and what a dump of it says. */
async function dumped(): Promise<{ path: string; text: string }> {
  await using database = await testDatabase()
  const { pool } = database
  await pool.query(`insert into users values ($1, 'a@b.c', 'hash', true, '****', '\\x00ff', 5, 1763000000000, null)`, [
    USER,
  ])
  await pool.query(`insert into audit (at, user_id, by_email, action, detail) values (1, $1, 'a', 'b', E'c\\td')`, [
    USER,
  ])
  await pool.query(`insert into account values ($1, '20261120', 'active', 2, 1, 1)`, [USER])
  await pool.query(`insert into journal select $1, seq, 1, $2 from generate_series(1, 1200) seq`, [USER, FACT])
  await pool.query(
    `insert into account_order values ($1, 1, '005930', 'buy', 'auto', 'limit', 1, 1, 'KRX', 'regular', 'open', true,
     '20261120', null, null, 0, 0, 0, 1, 1, 'why', null, null, false)`,
    [USER],
  )
  await pool.query(`insert into order_lot values ($1, 1, 0, 1, 1, true)`, [USER])
  const path = join(home, `${crypto.randomUUID()}.gz`)
  expect(await dumpTo(pool, path)).toBe(1205)
  return { path, text: textOf(path) }
}

const textOf = (path: string): string => gunzipSync(readFileSync(path)).toString()
/** Without the header, which names the PostgreSQL it came from. */
const rowsOf = (text: string): string => text.slice(text.indexOf('\n'))

async function dumpOf(place: DatabasePlace): Promise<string> {
  const database = await openDatabase(place)
  const path = join(home, `${crypto.randomUUID()}.gz`)
  await dumpTo(database.pool, path)
  await database.close()
  return textOf(path)
}

function fileWith(text: string): string {
  const path = join(home, `${crypto.randomUUID()}.gz`)
  writeFileSync(path, gzipSync(text))
  return path
}

describe('a dump', { timeout: 180_000 }, () => {
  test('comes back row by row in an empty database, numbers going on behind the last, once', async () => {
    const { path, text } = await dumped()
    expect(statSync(path).mode & 0o777).toBe(0o600)
    await using place = await testPlace({ empty: true })
    const to = { dataDir: place.config.DATA_DIR, databaseUrl: place.config.DATABASE_URL }
    expect(await loadFrom(to, path)).toMatchObject({ rows: 1205 })
    expect(rowsOf(await dumpOf(to))).toBe(rowsOf(text))
    const database = await openDatabase(to)
    await database.db
      .insertInto('audit')
      .values({ at: 2, user_id: USER, by_email: 'a', action: 'b', detail: '' })
      .execute()
    expect(await database.db.selectFrom('audit').select('id').orderBy('id').execute()).toEqual([{ id: 1 }, { id: 2 }])
    await database.close()
    await expect(loadFrom(to, path)).rejects.toThrow(/비어 있지 않은/)
  })

  test('is in the order of the keys, and rows that refer to later ones of their table go in as well', async () => {
    await using database = await testDatabase()
    const outcomeFirst = `insert into audit (id, at, user_id, by_email, action, detail, stage, asked_id)
      overriding system value
      select id, 1, $1, 'a', 'b', '', case when id > 700 then 'outcome' else 'asked' end, nullif(greatest(id - 700, 0), 0)
      from generate_series(1400, 1, -1) id`
    await database.pool.query(`insert into users values ($1, 'a@b.c', 'hash', true, '****', '\\x00ff', 5, 1, null)`, [
      USER,
    ])
    await database.pool.query(outcomeFirst, [USER])
    const path = join(home, `${crypto.randomUUID()}.gz`)
    await dumpTo(database.pool, path)
    const lines = textOf(path).split('\n')
    const start = lines.findIndex((line) => line.startsWith('["audit"')) + 1
    const audit = lines.slice(start, start + 1400)
    expect(audit.map((line) => Number(/"id":(\d+)/.exec(line)?.[1]))).toEqual(Array.from(audit, (_, i) => i + 1))
    await using place = await testPlace({ empty: true })
    const to = { dataDir: place.config.DATA_DIR, databaseUrl: place.config.DATABASE_URL }
    const dangling = audit.filter((line) => !line.includes('"id":7,'))
    const files = [dangling, audit.toReversed()].map((rows) =>
      lines
        .toSpliced(start, 1400, ...rows)
        .join('\n')
        .replace('\n[1401]', `\n[${rows.length + 1}]`),
    )
    await expect(loadFrom(to, fileWith(files[0] ?? ''))).rejects.toThrow(/foreign key/)
    await loadFrom(to, fileWith(files[1] ?? ''))
    expect(rowsOf(await dumpOf(to))).toBe(rowsOf(textOf(path)))
    const loaded = await openDatabase(to)
    const { rows } = await loaded.pool.query(`select from pg_constraint where contype = 'f' and condeferrable`)
    await loaded.close()
    expect(rows).toEqual([])
  })

  test('never overwrites a file', async () => {
    await using database = await testDatabase()
    const path = fileWith('mine')
    await expect(dumpTo(database.pool, path)).rejects.toThrow(DatabaseError)
    expect(textOf(path)).toBe('mine')
    // The connection it had is clean again.
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('that is broken, of a newer program or no dump at all puts nothing in, and a whole one goes in after it', async () => {
    const { path, text } = await dumped()
    await using place = await testPlace()
    const to = { dataDir: place.config.DATA_DIR, databaseUrl: place.config.DATABASE_URL }
    const lines = text.split('\n')
    const cutZip = join(home, 'cut.gz')
    writeFileSync(cutZip, readFileSync(path).subarray(0, 900))
    const files: [string, RegExp][] = [
      [fileWith(lines.slice(0, -2).join('\n')), /중간에 끊겼습니다/],
      [fileWith(lines.toSpliced(-40, 1).join('\n')), /중간에 끊겼습니다/],
      [fileWith(text.replace('["audit",["id","at"', '["audit",["id","when"')), /audit이 이 프로그램이 아는 것과 달라/],
      [
        fileWith(text.replace('"migrations":[', '"migrations":[{"name":"9999-newer","byVersion":null},')),
        /더 새 Digger.*9999-newer/,
      ],
      [fileWith('{"some": "json"}\n'), /dump로 만든 파일이 아닙니다/],
      [fileWith(''), /dump로 만든 파일이 아닙니다/],
      [cutZip, /옮겨 넣지 못했습니다.*unexpected end/],
      [join(home, 'absent.gz'), /ENOENT/],
    ]
    for (const [file, message] of files) await expect(loadFrom(to, file)).rejects.toThrow(message)
    expect(existsSync(join(home, 'absent.gz'))).toBe(false)
    expect(await loadFrom(to, path)).toMatchObject({ rows: 1205 })
  })

  test('of earlier tables is not put into later ones', async () => {
    const { text } = await dumped()
    const [header = '', ...rest] = text.split('\n')
    const earlier = header.replace(/,\{"name":"0205-[^}]*\}/, '')
    expect(earlier).not.toBe(header)
    const dataDir = mkdtempSync(join(home, 'later-'))
    await seedFolder(dataDir)
    await expect(loadFrom({ dataDir }, fileWith([earlier, ...rest].join('\n')))).rejects.toThrow(/이미 더 새 표/)
  })
})

const bin = findPostgres()
// From the embedded one only: the way back is the same.
const isEmbedded = process.env['DIGGER_TEST_POSTGRES'] === undefined
describe.skipIf(bin === null || !isEmbedded)(
  'a dump (skipped where no PostgreSQL is installed)',
  { timeout: 180_000 },
  () => {
    let server: PostgresServer
    beforeAll(async () => {
      server = await startPostgres(bin ?? '')
    })
    afterAll(() => server[Symbol.asyncDispose]())

    test('crosses from one PostgreSQL version to another and back without a change', async () => {
      const { path, text } = await dumped()
      const there = { databaseUrl: await server.newDatabase(), dataDir: '' }
      await loadFrom(there, path)
      const onServer = await dumpOf(there)
      expect(rowsOf(onServer)).toBe(rowsOf(text))
      const back = { dataDir: mkdtempSync(join(home, 'back-')) }
      await loadFrom(back, fileWith(onServer))
      const again = await dumpOf(back)
      expect(rowsOf(again)).toBe(rowsOf(text))
      const versions = [onServer, again].map((one) => /"postgres":"(\d+)/.exec(one)?.[1])
      expect(new Set(versions).size).toBe(2)
    })
  },
)
