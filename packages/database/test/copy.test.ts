import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { dumpTo } from '../src/copy/dump.ts'
import { loadFrom } from '../src/copy/load.ts'
import { DatabaseError } from '../src/errors.ts'
import { openDatabase } from '../src/open.ts'
import { testDatabase, testPlace } from './database.ts'
import { dumped, dumpOf, fileWith, newPath, rowsOf, textOf, USER } from './dumps.ts'

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
    const path = newPath()
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
    const absent = newPath()
    const cutZip = newPath()
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
      [absent, /ENOENT/],
    ]
    for (const [file, message] of files) await expect(loadFrom(to, file)).rejects.toThrow(message)
    expect(existsSync(absent)).toBe(false)
    expect(await loadFrom(to, path)).toMatchObject({ rows: 1205 })
  })

  test('of earlier tables is not put into later ones', async () => {
    const { text } = await dumped()
    const [header = '', ...rest] = text.split('\n')
    const earlier = header.replace(/,\{"name":"0205-[^}]*\}/, '')
    expect(earlier).not.toBe(header)
    await using place = await testPlace()
    const to = { dataDir: place.config.DATA_DIR, databaseUrl: place.config.DATABASE_URL }
    await expect(loadFrom(to, fileWith([earlier, ...rest].join('\n')))).rejects.toThrow(/이미 더 새 표/)
  })
})
