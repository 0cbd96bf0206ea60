import { createHash } from 'node:crypto'
import { type Database, openDatabase } from '@digger/database'
import { testDatabase, findPostgres, startPostgres } from '@digger/database/testing'

export interface BenchDatabase extends Database {
  [Symbol.asyncDispose](): Promise<void>
}

/** Opens a database on a PostgreSQL of its own where the machine has one, else (or when asked) on the embedded engine. */
export async function benchDatabase(want: 'postgres' | 'embedded' = 'postgres'): Promise<BenchDatabase> {
  const bin = want === 'postgres' ? findPostgres() : null
  if (bin === null) return testDatabase()
  const server = await startPostgres(bin)
  const database = await openDatabase({ databaseUrl: await server.newDatabase(), dataDir: '' })
  return {
    ...database,
    async [Symbol.asyncDispose]() {
      await database.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Adds users without keys, ready for accounts. Their ids sort in the order made. */
export async function addUsers({ pool }: Pick<Database, 'pool'>, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, n) => userIdOf(n))
  await pool.query(
    `insert into users (id, email, password_hash, account_masked, account_mark, created_at)
     select id, id || '@bench.test', '', '****', decode(md5(id), 'hex'), 0 from unnest($1::text[]) as id`,
    [ids],
  )
  return ids
}

/** A session each, good for as long as anybody measures; returns their cookies. */
export async function addSessions({ pool }: Pick<Database, 'pool'>, userIds: readonly string[]): Promise<string[]> {
  const hashes = userIds.map((id) => createHash('sha256').update(id).digest())
  await pool.query(
    'insert into session select hash, id, $3, $3, $4 from unnest($1::text[], $2::bytea[]) as one(id, hash)',
    [userIds, hashes, Date.now(), Date.now() * 2],
  )
  return userIds.map((id) => `digger_session=${id}`)
}

function userIdOf(number: number): string {
  let rest = number
  let id = ''
  for (let place = 0; place < 10; place += 1) {
    id = String.fromCharCode(97 + (rest % 26)) + id
    rest = Math.floor(rest / 26)
  }
  return id
}
