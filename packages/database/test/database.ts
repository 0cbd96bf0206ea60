import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { QueryResultRow } from 'pg'
import { compileEngine, ensureFolder } from '../src/embedded/folder.ts'
import { type Database, type DatabasePlace, openDatabase } from '../src/open.ts'
import { ask } from './ask.ts'

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
  /** Folders with the database's files, and the rows of all its tables as text. */
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
        const text = await textOfAll(async (statement) => (await database.pool.query(statement)).rows)
        await database.close()
        return text
      },
      [Symbol.asyncDispose]: async () => dropDir(),
    }
  }
  const name = `place_${randomUUID().replaceAll('-', '')}`
  const url = server.replace(/[^/]*$/, name)
  await ask(server, `create database ${name} ${empty ? '' : `template ${TEMPLATE}`}`)
  return {
    config: { DATA_DIR: dataDir, DATABASE_URL: url },
    files: async () => {
      await ask(server, 'checkpoint')
      const [found] = await ask<{ home: string; oid: number }>(
        url,
        `select current_setting('data_directory') as home, oid from pg_database where datname = current_database()`,
      )
      if (found === undefined) throw new Error('no database')
      return [join(found.home, 'base', String(found.oid)), join(found.home, 'pg_wal')]
    },
    dump: () => textOfAll((statement) => ask(url, statement)),
    async [Symbol.asyncDispose]() {
      dropDir()
      await ask(server, `drop database ${name} with (force)`)
    },
  }
}

async function textOfAll(ask: (statement: string) => Promise<QueryResultRow[]>): Promise<string> {
  const tables = await ask(`select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`)
  const texts: string[] = []
  for (const { name } of tables) {
    const rows = await ask(`select t::text as line from ${String(name)} t`)
    texts.push(`${String(name)}\n${rows.map(({ line }) => String(line)).join('\n')}`)
  }
  return texts.join('\n')
}

/**
 * The first one ever is made from nothing (some seconds) and cached as a template under the temp folder; the rest are
 * copies.
 */
export async function embeddedDatabase(place: Partial<DatabasePlace> = {}): Promise<TestDatabase> {
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
  await ask(server, `create database ${name} template ${TEMPLATE}`)
  const database = await openDatabase({ databaseUrl: server.replace(/[^/]*$/, name), dataDir: '' })
  return {
    ...database,
    dataDir: '',
    async [Symbol.asyncDispose]() {
      await database.close()
      await ask(server, `drop database ${name} with (force)`)
    },
  }
}

/** Migrated and empty, on the PostgreSQL of a run: the databases of its tests are copies. */
const TEMPLATE = 'digger_template'

export async function makeTemplate(server: string): Promise<void> {
  await ask(server, `create database ${TEMPLATE}`)
  // No process has ever traded on it: `exclusive` would write this one down.
  await (await openDatabase({ databaseUrl: server.replace(/[^/]*$/, TEMPLATE), dataDir: '', exclusive: false })).close()
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
