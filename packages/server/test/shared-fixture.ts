import { afterAll } from 'vitest'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { ServerFixture, type ServerFixtureOptions } from './server-fixture.ts'

let shared: Promise<TestDatabase> | undefined
afterAll(async () => (await shared)?.[Symbol.asyncDispose]())

/** A fixture on this test file's one database, emptied: opening another for each test costs a second. */
export async function startFixture(options: ServerFixtureOptions = {}): Promise<ServerFixture> {
  const database = await (shared ??= testDatabase())
  await empty(database)
  return new ServerFixture({ ...database, [Symbol.asyncDispose]: async () => undefined }, options)
}

async function empty({ pool }: TestDatabase): Promise<void> {
  // One session for all of it: the setting below belongs to the session.
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables
       where schemaname = 'public' and tablename not like 'kysely%' and tablename not in ('start_test', 'shard')`,
    )
    // Past the triggers that keep the logs append-only.
    await client.query('set session_replication_role = replica')
    await client.query(`truncate ${rows.map(({ name }) => name).join(', ')} cascade`)
    await client.query('set session_replication_role = default')
    // Its rows are the schema's; who has them is not.
    await client.query('update shard set epoch = 0, worker = null, released = false')
  } finally {
    client.release()
  }
}
