import { execFileSync } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { compileEngine, ensureFolder } from '../src/embedded/folder.ts'
import { type Database, type DatabasePlace, openDatabase } from '../src/open.ts'
import { findPostgres } from './find-postgres.mjs'

export interface TestDatabase extends Database {
  readonly dataDir: string
  [Symbol.asyncDispose](): Promise<void>
}

/**
 * A migrated, empty database of its own, gone with `await using`: embedded, or on the PostgreSQL server whose address
 * this run was given.
 */
export function testDatabase(place: Partial<DatabasePlace> = {}): Promise<TestDatabase> {
  const server = process.env['DIGGER_TEST_POSTGRES']
  return server === undefined ? embeddedDatabase(place) : postgresDatabase(server)
}

export interface TestPlace {
  readonly config: { readonly DATA_DIR: string; readonly DATABASE_URL: string | undefined }
  /** Folders with the database's files, and everything in it as text, as a dump would have it. */
  readonly files: () => Promise<readonly string[]>
  readonly dump: () => Promise<string>
  [Symbol.asyncDispose](): Promise<void>
}

/** A place for a whole server, which opens its database itself. `empty`: without tables, too. */
export async function testPlace({ empty = false } = {}): Promise<TestPlace> {
  const dataDir = mkdtempSync(join(tmpdir(), 'digger-test-'))
  const dropDir = () => rmSync(dataDir, { recursive: true, force: true })
  const server = process.env['DIGGER_TEST_POSTGRES']
  if (server === undefined) {
    if (empty) cpSync(await engineFolder(), dataDir, { recursive: true })
    else await seedFolder(dataDir)
    return {
      config: { DATA_DIR: dataDir, DATABASE_URL: undefined },
      files: async () => [dataDir],
      dump: async () => {
        const database = await openDatabase({ dataDir })
        const text = await textOfAll((sql) => database.pool.query(sql))
        await database.close()
        return text
      },
      [Symbol.asyncDispose]: async () => dropDir(),
    }
  }
  const name = `place_${randomUUID().replaceAll('-', '')}`
  const url = server.replace(/[^/]*$/, name)
  await onServer(server, `create database ${name} ${empty ? '' : `template ${TEMPLATE}`}`)
  return {
    config: { DATA_DIR: dataDir, DATABASE_URL: url },
    files: async () => {
      await onServer(server, 'checkpoint')
      const home = String((await onServer(server, 'show data_directory')).rows[0]?.['data_directory'])
      const oid = String(
        (await onServer(url, `select oid from pg_database where datname = '${name}'`)).rows[0]?.['oid'],
      )
      return [join(home, 'base', oid), join(home, 'pg_wal')]
    },
    dump: async () => execFileSync(pgDump(), ['--inserts', url], { maxBuffer: 2 ** 28 }).toString(),
    async [Symbol.asyncDispose]() {
      dropDir()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

/** Finds pg_dump beside the server's programs, wherever those really are, or on the path. */
function pgDump(): string {
  const bin = findPostgres()
  const places = bin === null ? [] : [bin, dirname(realpathSync(join(bin, 'initdb')))]
  return places.map((folder) => join(folder, 'pg_dump')).find((path) => existsSync(path)) ?? 'pg_dump'
}

type Ask = (sql: string) => Promise<{ rows: Record<string, unknown>[] }>

async function textOfAll(ask: Ask): Promise<string> {
  const { rows } = await ask(`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`)
  const texts: string[] = []
  for (const { name } of rows) {
    const { rows: all } = await ask(`select t::text as line from ${String(name)} t`)
    texts.push(`${String(name)}\n${all.map(({ line }) => String(line)).join('\n')}`)
  }
  return texts.join('\n')
}

/**
 * The first one ever is made from nothing (some seconds) and cached as a template under the temp folder; the rest are
 * copies.
 */
async function embeddedDatabase(place: Partial<DatabasePlace>): Promise<TestDatabase> {
  const dataDir = place.dataDir ?? mkdtempSync(join(tmpdir(), 'digger-test-'))
  await seedFolder(dataDir)
  const database = await openDatabase({ ...place, dataDir })
  return {
    ...database,
    dataDir,
    async [Symbol.asyncDispose]() {
      await database.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

async function postgresDatabase(server: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(server, `create database ${name} template ${TEMPLATE}`)
  const database = await openDatabase({ databaseUrl: server.replace(/[^/]*$/, name), dataDir: '' })
  return {
    ...database,
    dataDir: '',
    async [Symbol.asyncDispose]() {
      await database.close()
      await onServer(server, `drop database ${name} with (force)`)
    },
  }
}

/** Migrated and empty, on the PostgreSQL of a run: the databases of its tests are copies. */
const TEMPLATE = 'digger_template'

export async function makeTemplate(server: string): Promise<void> {
  await onServer(server, `create database ${TEMPLATE}`)
  // No process has ever traded on it: `exclusive` would write this one down.
  await (await openDatabase({ databaseUrl: server.replace(/[^/]*$/, TEMPLATE), dataDir: '', exclusive: false })).close()
}

async function onServer(url: string, sql: string): Promise<{ rows: Record<string, unknown>[] }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const answer = await client.query<Record<string, unknown>>(sql)
  await client.end()
  return answer
}

/** As long as somebody holds it, every engine of this process shares its compiled code instead of compiling it again. */
let compiled: ReturnType<typeof compileEngine> | undefined

/** Puts a migrated, empty database where there is none. */
export async function seedFolder(dataDir: string): Promise<void> {
  await (compiled ??= compileEngine())
  if (!existsSync(join(dataDir, 'database'))) cpSync(await template(), dataDir, { recursive: true })
}

const template = (): Promise<string> =>
  keptFolder('template', async (dataDir) => (await openDatabase({ dataDir })).close())

/** With the engine's own files, and no table of ours. */
const engineFolder = (): Promise<string> =>
  keptFolder('engine', async (dataDir) => void (await ensureFolder(join(dataDir, 'database'), await compileEngine())))

async function keptFolder(name: string, make: (dataDir: string) => Promise<void>): Promise<string> {
  const home = join(tmpdir(), `digger-${name}-${fingerprint()}`)
  if (existsSync(home)) return home
  const made = mkdtempSync(join(tmpdir(), 'digger-making-'))
  await make(made)
  try {
    renameSync(made, home)
  } catch {
    rmSync(made, { recursive: true, force: true }) // Another test process was first.
  }
  return home
}

/** Changes with the engine and with any migration, also those of the accounts. */
function fingerprint(): string {
  const hash = createHash('sha256')
  const source = new URL('../src/', import.meta.url)
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /migration/.test(file))
  for (const file of files.sort()) if (file.endsWith('.ts')) hash.update(readFileSync(new URL(file, source)))
  hash.update(readFileSync(new URL('../package.json', import.meta.url)))
  return hash.digest('hex').slice(0, 16)
}
