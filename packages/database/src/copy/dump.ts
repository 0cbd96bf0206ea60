import { createHash } from 'node:crypto'
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

/** What is in a table, so that two databases can be compared. */
export interface TableSum {
  readonly name: string
  readonly rows: number
  /** SHA-256 over its rows in the order of its key (by bytes), as PostgreSQL writes them, in hex. */
  readonly sha256: string
}

export interface DumpScope {
  /** Tables that are left out besides those of one database's own matters. */
  readonly without?: readonly string[]
}

/**
 * Writes everything into a new file that only this user can read: for another PostgreSQL version, or to change between
 * the embedded database and a server. One snapshot, also beside a running server. Returns the number of rows.
 */
export async function dumpTo(pool: Pool, path: string): Promise<number> {
  const tables = await dumpTables(pool, path)
  return tables.reduce((sum, { rows }) => sum + rows, 0)
}

/** As `dumpTo`, and says what is in each table that was written. The file is on the disk when it returns. */
export async function dumpTables(pool: Pool, path: string, scope: DumpScope = {}): Promise<TableSum[]> {
  try {
    return await inSnapshot(pool, async (client) => {
      const sums = new Sums()
      const file = createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })
      await pipeline(Readable.from(linesOf(client, scope, sums)), createGzip(), file)
      return sums.all()
    })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(`${path}에 옮겨 적지 못했습니다: ${why}`, { cause: error })
  }
}

/** The same sums without writing anything. */
export function sumTables(pool: Pool, scope: DumpScope = {}): Promise<TableSum[]> {
  return inSnapshot(pool, async (client) => {
    const sums = new Sums()
    const lines = linesOf(client, scope, sums)
    while ((await lines.next()).done !== true);
    return sums.all()
  })
}

async function inSnapshot<T>(pool: Pool, read: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin isolation level repeatable read, read only')
    const result = await read(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

class Sums {
  readonly #tables: { readonly name: string; rows: number; readonly hash: ReturnType<typeof createHash> }[] = []

  begin(name: string): void {
    this.#tables.push({ name, rows: 0, hash: createHash('sha256') })
  }

  add(lines: string, rows: number): void {
    const table = this.#tables.at(-1)
    if (table === undefined) return
    table.rows += rows
    table.hash.update(lines)
  }

  get rows(): number {
    return this.#tables.reduce((sum, { rows }) => sum + rows, 0)
  }

  all(): TableSum[] {
    return this.#tables.map(({ name, rows, hash }) => ({ name, rows, sha256: hash.copy().digest('hex') }))
  }
}

async function* linesOf(client: PoolClient, { without = [] }: DumpScope, sums: Sums): AsyncGenerator<string> {
  yield headerLine(await headerOf(client))
  const tables = await tablesInOrder(client)
  const byBytes = (await sortsByBytes(client)) ? '' : ' collate "C"'
  for (const { name, columns, key, words } of tables.filter((table) => !without.includes(table.name))) {
    yield tableLine(name, columns)
    sums.begin(name)
    const ordered = key.map((column) => `t.${quoted(column)}${words.includes(column) ? byBytes : ''}`)
    const order = ordered.length === 0 ? '' : `order by ${ordered.join(', ')}`
    await client.query(
      `declare dumped no scroll cursor for
       select to_json(t)::text as line from (select ${columns.map(quoted).join(', ')} from ${quoted(name)}) t ${order}`,
    )
    for (;;) {
      const { rows } = await client.query<{ line: string }>(`fetch ${ROWS_PER_FETCH} from dumped`)
      if (rows.length === 0) break
      const lines = rows.map(({ line }) => `${line}\n`).join('')
      sums.add(lines, rows.length)
      yield lines
    }
    await client.query('close dumped')
  }
  yield endLine(sums.rows)
}

/**
 * Sums of two databases are compared, and each may sort words in a language of its own. The embedded one sorts by bytes: there the index
 * of the key serves, which it does not where another order is asked for.
 */
async function sortsByBytes(client: PoolClient): Promise<boolean> {
  const { rows } = await client.query<{ by_bytes: boolean }>(`select 'B'::text < 'a'::text as by_bytes`)
  return rows[0]?.by_bytes === true
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
