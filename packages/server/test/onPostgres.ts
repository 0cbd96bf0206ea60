import { findPostgres } from './find-postgres.mjs'
import { startPostgres } from './postgres.ts'

/** Before the run: a PostgreSQL server of its own, for every test that opens a database. After it: gone. */
export default async function setup(): Promise<() => Promise<void>> {
  const bin = findPostgres()
  if (bin === null) throw new Error('no PostgreSQL on this machine')
  const server = await startPostgres(bin)
  process.env['DIGGER_TEST_POSTGRES'] = server.url
  return () => server[Symbol.asyncDispose]()
}
