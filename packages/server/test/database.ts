import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { type Database, type DatabasePlace, openDatabase } from '../src/db/open.ts'

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

/**
 * The first one ever is made from nothing (some seconds) and kept as a template under the temp folder; the rest are
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
  await onServer(server, `create database ${name}`)
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

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}

/** Puts a migrated, empty database where there is none. */
export async function seedFolder(dataDir: string): Promise<void> {
  if (!existsSync(join(dataDir, 'database'))) cpSync(await template(), dataDir, { recursive: true })
}

async function template(): Promise<string> {
  const home = join(tmpdir(), `digger-template-${fingerprint()}`)
  if (existsSync(home)) return home
  const made = mkdtempSync(join(tmpdir(), 'digger-making-'))
  await (await openDatabase({ dataDir: made })).close()
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
