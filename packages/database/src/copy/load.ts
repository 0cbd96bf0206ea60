import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Kysely, PostgresDialect } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { DatabaseError, OperatorError } from '../errors.ts'
import type { Db } from '../handle.ts'
import { migrate } from '../migrate.ts'
import type { OpenedPool } from '../embedded/open.ts'
import { type DatabasePlace, openPool } from '../open.ts'
import type { Tables } from '../tables.ts'
import { type DumpHeader, parseHeader, parseLine } from './format.ts'
import { type CopiedTable, quoted, tablesInOrder } from './tables-in-order.ts'

const ROWS_PER_INSERT = 500

export interface LoadedDump {
  readonly header: DumpHeader
  readonly rows: number
}

/** What is done with the rows, besides putting them in. */
export interface LoadSteps {
  /** In the transaction of the rows: what must be true from the first moment on in which they are there. */
  readonly withRows?: (client: PoolClient) => Promise<void>
  /** Once the tables are up to date, while no other process can open the database for trading. */
  readonly afterwards?: (loaded: Pick<OpenedPool, 'pool'> & { readonly db: Db }) => Promise<void>
}

/**
 * Fills an empty database with a dump, also of an earlier version: makes the tables as they were then, puts the rows in,
 * all or none, and brings the tables up to date. Throws DatabaseError, and changes nothing in a database that has rows.
 */
export async function loadFrom(place: DatabasePlace, path: string, steps: LoadSteps = {}): Promise<LoadedDump> {
  const opened = await openPool({ ...place, exclusive: true })
  try {
    return await pipeline(createReadStream(path), createGunzip(), (file: AsyncIterable<Buffer>) =>
      loadInto(opened.pool, linesOf(file), path, steps),
    )
  } catch (error) {
    if (error instanceof OperatorError) throw error
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseError(`${path}을 옮겨 넣지 못했습니다: ${why}`, { cause: error })
  } finally {
    await opened.close()
  }
}

async function* linesOf(file: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const part of file) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function loadInto(
  pool: Pool,
  lines: AsyncGenerator<string>,
  path: string,
  { withRows, afterwards }: LoadSteps,
): Promise<LoadedDump> {
  const first = await lines.next()
  const header = first.done === true ? null : parseHeader(first.value)
  if (header === null) throw new DatabaseError(`${path}은 npm run admin -- dump로 만든 파일이 아닙니다.`)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const known = header.migrations.map(({ name }) => name)
  await assertEmpty(pool, known)
  await migrate(db, known)
  const rows = await inTransaction(pool, async (client) => {
    const count = await withSelfReferencesLast(client, () => insertAll(client, lines, path))
    await withRows?.(client)
    return count
  })
  await migrate(db)
  await noteVersions(db, header)
  await afterwards?.({ db, pool })
  return { header, rows }
}

/** `known`: the changes of the tables that the dump has. Tables with more of them cannot go back to what they were. */
async function assertEmpty(pool: Pool, known: readonly string[]): Promise<void> {
  for (const { name } of await tablesInOrder(pool)) {
    const { rows } = await pool.query(`select from ${quoted(name)} limit 1`)
    if (rows.length > 0) {
      throw new DatabaseError(`비어 있지 않은 데이터베이스에는 옮겨 넣지 않습니다(${name}에 기록이 있습니다).`)
    }
  }
  const { rows } = await pool.query<{ found: boolean }>(`select to_regclass('kysely_migration') is not null as found`)
  if (rows[0]?.found !== true) return
  const { rows: later } = await pool.query('select from kysely_migration where name <> all ($1)', [known])
  if (later.length > 0) {
    throw new DatabaseError(
      '이미 더 새 표가 있는 데이터베이스입니다. 아직 쓰지 않은 폴더나 데이터베이스를 정해 주세요.',
    )
  }
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  } finally {
    client.release()
  }
}

/**
 * Checks references within one table only after all rows are in: dumps of earlier versions have them in any order, and a
 * row may come a batch before the one it refers to. Needs a transaction.
 */
async function withSelfReferencesLast<T>(client: PoolClient, insert: () => Promise<T>): Promise<T> {
  const { rows: constraints } = await client.query<{ table: string; name: string }>(
    `select t.relname::text as table, k.conname::text as name
     from pg_constraint k join pg_class t on t.oid = k.conrelid
     where k.contype = 'f' and k.conrelid = k.confrelid and t.relnamespace = 'public'::regnamespace`,
  )
  const alterAll = async (timing: string) => {
    for (const { table, name } of constraints)
      await client.query(`alter table ${quoted(table)} alter constraint ${quoted(name)} ${timing}`)
  }
  await alterAll('deferrable initially deferred')
  const result = await insert()
  await client.query('set constraints all immediate')
  await alterAll('not deferrable')
  return result
}

/** Returns the number of rows. Throws DatabaseError for a file that ends too early or has other tables than ours. */
async function insertAll(client: PoolClient, lines: AsyncIterable<string>, path: string): Promise<number> {
  const tables = new Map((await tablesInOrder(client)).map((table) => [table.name, table]))
  let table: CopiedTable | undefined
  let batch: string[] = []
  let [count, announced] = [0, -1]
  const flush = async (): Promise<void> => {
    if (table && batch.length > 0) await insertRows(client, table, batch)
    batch = []
  }
  for await (const text of lines) {
    const line = parseLine(text)
    if (line.kind === 'row') {
      count++
      if (batch.push(text) >= ROWS_PER_INSERT) await flush()
      continue
    }
    await flush()
    if (line.kind === 'end') announced = line.rows
    else table = assertSame(tables.get(line.name), line, path)
  }
  if (announced !== count) throw new DatabaseError(`${path}이 중간에 끊겼습니다. 아무것도 옮겨 넣지 않았습니다.`)
  await continueNumbering(client)
  return count
}

function assertSame(ours: CopiedTable | undefined, theirs: CopiedTable, path: string): CopiedTable {
  if (ours && ours.columns.join() === theirs.columns.join()) return ours
  throw new DatabaseError(`${path}의 표 ${theirs.name}이 이 프로그램이 아는 것과 달라 옮겨 넣지 않았습니다.`)
}

async function insertRows(client: PoolClient, { name, columns }: CopiedTable, rows: readonly string[]): Promise<void> {
  const list = columns.map(quoted).join(', ')
  const table = quoted(name)
  await client.query(
    `insert into ${table} (${list}) overriding system value
     select ${list} from json_populate_recordset(null::${table}, $1)`,
    [`[${rows.join(',')}]`],
  )
}

/** Numbers that the database gives out go on behind the highest one. */
async function continueNumbering(client: PoolClient): Promise<void> {
  const { rows } = await client.query<{ table: string; column: string }>(
    `select table_name::text as table, column_name::text as column from information_schema.columns
     where table_schema = 'public' and is_identity = 'YES'`,
  )
  for (const { table, column } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${quoted(column)}), 0) + 1, false) from ${quoted(table)}`,
      [`public.${quoted(table)}`, column],
    )
  }
}

async function noteVersions(db: Db, { migrations }: DumpHeader): Promise<void> {
  for (const { name, byVersion } of migrations) {
    await db.updateTable('kysely_migration').set({ by_version: byVersion }).where('name', '=', name).execute()
  }
}
