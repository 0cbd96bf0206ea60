import { expect, test } from 'vitest'
import { ENGINE_LOCK } from '../src/engine-lock.ts'
import { DatabaseError } from '../src/errors.ts'
import { type Database, openDatabase } from '../src/open.ts'
import { connected } from './ask.ts'
import { embeddedDatabase } from './database.ts'
import { newDatabase } from './new-database.ts'

const columns = async ({ pool }: Database) => {
  const { rows } = await pool.query(
    `select table_name, column_name, data_type, is_nullable from information_schema.columns
     where table_schema = 'public' and table_name <> 'start_test' order by 1, ordinal_position`,
  )
  return rows
}

test('PostgreSQL gets the same tables from the same migrations as the embedded one, once', async () => {
  const databaseUrl = await newDatabase({ empty: true })
  const real = await openDatabase({ databaseUrl, dataDir: '' })
  await using embedded = await embeddedDatabase()
  expect(await columns(real)).toEqual(await columns(embedded))
  await real.close()
  const again = await openDatabase({ databaseUrl, dataDir: '' })
  await again.close()
})

test('tables of a newer program are refused, with its version and what to do', async () => {
  const place = { databaseUrl: await newDatabase(), dataDir: '' }
  const now = await openDatabase(place)
  const { rows } = await now.pool.query('select distinct by_version from kysely_migration')
  expect(rows).toEqual([{ by_version: expect.stringMatching(/^\d+\.\d+\.\d+$/) }])
  await now.pool.query("insert into kysely_migration values ('9001-future', '2030-01-01', '7.8.9')")
  await now.close()
  await expect(openDatabase(place)).rejects.toThrow(/더 새 Digger\(7\.8\.9\).*9001-future.*백업/)
})

test('a statement and an idle transaction cannot hold on for ever', async () => {
  const database = await openDatabase({ databaseUrl: await newDatabase(), dataDir: '' })
  const show = async (name: string) => (await database.pool.query(`show ${name}`)).rows
  expect(await show('statement_timeout')).toEqual([{ statement_timeout: '30s' }])
  const idle = 'idle_in_transaction_session_timeout'
  expect(await show(idle)).toEqual([{ [idle]: '1min' }])
  await database.close()
})

test('four tools starting at once migrate an empty database once', async () => {
  const databaseUrl = await newDatabase({ empty: true })
  const open = () => openDatabase({ databaseUrl, dataDir: '', exclusive: false })
  const all = await Promise.all([open(), open(), open(), open()])
  const { rows } = await all[0].pool.query('select count(*) as n from kysely_migration')
  expect(rows[0].n).toBeGreaterThanOrEqual(3)
  await Promise.all(all.map((database) => database.close()))
})

test('a second server on one database is refused by name; a tool is not', async () => {
  const databaseUrl = await newDatabase()
  const first = await openDatabase({ databaseUrl, dataDir: '' })
  const tool = await openDatabase({ databaseUrl, dataDir: '', exclusive: false })
  await tool.close()
  const elsewhere = await connected(await newDatabase(), { application_name: 'of another database' })
  await elsewhere.query('select pg_advisory_lock($1)', [ENGINE_LOCK])
  await expect(openDatabase({ databaseUrl, dataDir: '', lockWaitMs: 0 })).rejects.toThrow(new RegExp(`${process.pid}`))
  await elsewhere.end()
  await first.close()
  const next = await openDatabase({ databaseUrl, dataDir: '' })
  await next.close()
})

test('won come as numbers here too', async () => {
  const database = await openDatabase({ databaseUrl: await newDatabase(), dataDir: '' })
  const { rows } = await database.pool.query('select 1000000000000::bigint as won')
  expect(rows).toEqual([{ won: 1_000_000_000_000 }])
  await database.close()
})

test('a server that cannot be reached is named without its password', async () => {
  const databaseUrl = 'postgres://digger:hunter2@127.0.0.1:9/digger'
  const error = await openDatabase({ databaseUrl, dataDir: '' }).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(DatabaseError)
  expect(String(error)).toMatch(/127\.0\.0\.1:9\/digger/)
  expect(String(error)).not.toMatch(/hunter2/)
})
