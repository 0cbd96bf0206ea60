import type { TestDatabase } from './database.ts'
import { sharedDatabase } from './file-database.ts'

/** The one database of a test file, emptied: it goes with the file. */
export async function emptiedDatabase(): Promise<TestDatabase> {
  const database = await sharedDatabase()
  await empty(database)
  return { ...database, [Symbol.asyncDispose]: async () => undefined }
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
    // Hardly a row is in any of them: a truncate, which gives each table and index a new file, takes fifty times as long.
    await client.query(rows.map(({ name }) => `delete from ${name}`).join(';'))
    await client.query('set session_replication_role = default')
    // Its rows are the schema's; who has them is not.
    await client.query('update shard set epoch = 0, worker = null, released = false')
  } finally {
    client.release()
  }
}
