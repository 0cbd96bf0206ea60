import { afterAll } from 'vitest'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { World, type WorldOptions } from './world.ts'

let shared: Promise<TestDatabase> | undefined
afterAll(async () => (await shared)?.[Symbol.asyncDispose]())

/** A world on this test file's one database, emptied: opening another for each test costs a second. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
  const database = await (shared ??= testDatabase())
  await empty(database)
  return new World({ ...database, [Symbol.asyncDispose]: async () => undefined }, options)
}

async function empty({ pool }: TestDatabase): Promise<void> {
  // One session for all of it: the setting below belongs to the session.
  const client = await pool.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables
       where schemaname = 'public' and tablename not like 'kysely%' and tablename <> 'start_test'`,
    )
    // Past the triggers that keep the logs append-only.
    await client.query('set session_replication_role = replica')
    await client.query(`truncate ${rows.map(({ name }) => name).join(', ')} cascade`)
    await client.query('set session_replication_role = default')
  } finally {
    client.release()
  }
}
