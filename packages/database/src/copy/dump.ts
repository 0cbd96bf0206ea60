import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Pool, PoolClient } from 'pg'
import { DatabaseError } from '../errors.ts'
import { ownVersion } from '../migrate.ts'
import { DUMP_FORM, type DumpHeader, endLine, headerLine, tableLine } from './format.ts'
import { quoted, tablesInOrder } from './tables-in-order.ts'

const ROWS_PER_FETCH = 500

/**
 * Writes everything into a new file that only this user can read: for another PostgreSQL version, or to change between
 * the embedded database and a server. One snapshot, also beside a running server. Returns the number of rows.
 */
export async function dumpTo(pool: Pool, path: string): Promise<number> {
  const client = await pool.connect()
  let rows = 0
  try {
    await client.query('begin isolation level repeatable read, read only')
    const lines = linesOf(client, (count) => (rows += count))
    await pipeline(
      Readable.from(lines),
      createGzip(),
      createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true }),
    )
    await client.query('commit')
    return rows
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(`${path}에 옮겨 적지 못했습니다: ${why}`, { cause: error })
  } finally {
    client.release()
  }
}

async function* linesOf(client: PoolClient, counted: (rows: number) => void): AsyncGenerator<string> {
  let total = 0
  yield headerLine(await headerOf(client))
  for (const { name, columns, key } of await tablesInOrder(client)) {
    yield tableLine(name, columns)
    const order = key.length === 0 ? '' : `order by ${key.map((column) => `t.${quoted(column)}`).join(', ')}`
    await client.query(
      `declare dumped no scroll cursor for
       select to_json(t)::text as line from (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) t ${order}`,
    )
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_PER_FETCH} from dumped`)
      if (rows.length === 0) break
      total += rows.length
      counted(rows.length)
      yield rows.map(({ line }) => `${line}\n`).join('')
    }
    await client.query('close dumped')
  }
  yield endLine(total)
}

async function headerOf(client: PoolClient): Promise<DumpHeader> {
  const { rows } = await client.query<{ name: string; by_version?: string | null }>(
    'select * from kysely_migration order by name',
  )
  const { rows: versions } = await client.query<{ server_version: string }>('show server_version')
  return {
    form: DUMP_FORM,
    version: ownVersion(),
    postgres: versions[0]?.server_version ?? '',
    migrations: rows.map(({ name, by_version }) => ({ name, byVersion: by_version ?? null })),
  }
}
