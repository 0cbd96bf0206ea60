import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { assertWhole, listBackups, restoreBackup } from '@digger/backup'
import { openDatabase } from '@digger/database'
import { seedFolder, testPlace } from '@digger/database/testing'
import { loadOrCreate } from '@digger/storage'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lookAtStatements } from './at-moments.ts'
import { leftIn } from './left-in.ts'

const home = mkdtempSync(join(tmpdir(), 'digger-killed-'))
const at = (name: string) => join(home, name)
const { PATH, NODE_COMPILE_CACHE } = process.env
const trades = { shared: false, report: () => undefined }

beforeAll(async () => {
  await seedFolder(at('data'))
  const { db, pool, close } = await opened(at('data'))
  for (const id of ['killedkilledkill', 'secondsecondseco']) {
    const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from(id), created_at: 1 }
    await db
      .insertInto('users')
      .values({ id, email: `${id}@b.c`, ...row, digger_admin: false, bank_balance: 0 })
      .execute()
    await loadOrCreate({ db, pool }, id, 1_795_000_000_000)
  }
  // More than are read, or put in, at once.
  await pool.query(
    `insert into audit (at, user_id, by_email, action, detail)
     select n, 'killedkilledkill', 'a', 'b', repeat('c', 200) from generate_series(1, 2000) n`,
  )
  await close()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function opened(dataDir: string) {
  const database = await openDatabase({ dataDir, trades })
  return { db: database.db, pool: database.pool, close: () => database.close() }
}

/** An operator's command in a process of its own, killed at a moment, or not at all. Returns what ended it: a code or a signal. */
async function run(name: string, argument: string, dataDir: string, moment?: string): Promise<number | string> {
  const early = moment === undefined ? [] : ['--import', join(import.meta.dirname, 'killed-at.ts')]
  const script = join(import.meta.dirname, `../src/${name}.ts`)
  const child = spawn(process.execPath, ['--no-warnings', ...early, script, argument], {
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, KILLED_AT: moment },
    stdio: 'ignore',
  })
  const [code, signal]: (number | string | null)[] = await once(child, 'exit')
  return code ?? signal ?? -1
}

const begun = (name: string): boolean => name.startsWith('.making-')
const named = (into: string): string[] => readdirSync(into).filter((name) => !begun(name))

describe('a backup that is killed', () => {
  test('as a process of its own leaves a database that the next one backs up whole', async () => {
    const into = at('backups')
    expect(await run('backup', into, at('data'), '^before .*\\.making-')).toBe('SIGKILL')
    expect([named(into), readdirSync(into).filter(begun).length]).toEqual([[], 1])
    expect(await run('backup', into, at('data'))).toBe(0)
    const [one, ...more] = await listBackups(into)
    expect([one?.name, more]).toEqual([named(into)[0], []])
    if (one === undefined) return
    await assertWhole(one)
    expect(one.manifest.tables.find(({ name }) => name === 'audit')?.rows).toBe(2_000)
  }, 60_000)
})

/** The engine's own files: a restore that begins with them has less to do before there is anything to lose. */
async function emptyFolder(): Promise<string> {
  const place = await testPlace({ empty: true })
  return place.config.DATA_DIR
}

const newest = async (): Promise<string> => (await listBackups(at('backups')))[0]?.folder ?? ''

describe('a restore that is killed', () => {
  /** What the disk holds before statements, one found after the other: the engine has nothing to do then. */
  const MOMENTS = [
    ['before the rows are committed', /^commit$/, 'empty'],
    ['after it', /./, 'refused'],
    ['(the question to the first person)', /^with given as/, null],
    ['between the questions to two people', /^with given as/, 'refused'],
    ['before it says that it is whole', /insert into server_setting/, 'refused'],
    ['after it', /^checkpoint$/, 'halted'],
  ] as const

  test('at any moment leaves nothing, or what is not traded on, or all of it, halted', async () => {
    const dataDir = await emptyFolder()
    const folder = await newest()
    const waiting = MOMENTS.map(([name, text, left], n) => ({ name, text, left, dir: at(`cut-${n}`) }))
    const cuts = [...waiting]
    let rows = false
    const end = lookAtStatements((text) => {
      rows ||= text.startsWith('insert into "audit"')
      const [next] = waiting
      if (!rows || next === undefined || !next.text.test(text)) return undefined
      if (next.left !== null) cpSync(dataDir, next.dir, { recursive: true })
      waiting.shift()
      return undefined
    })
    await restoreBackup(folder, { dataDir, databaseUrl: undefined }).finally(end)
    expect(waiting).toEqual([])
    // The first one is looked into below.
    for (const { name, left, dir } of cuts.filter((one) => one.left !== null).slice(1))
      expect([name, await leftIn({ dataDir: dir })]).toEqual([name, left])
    rmSync(dataDir, { recursive: true, force: true })
  }, 120_000)

  test('as a process of its own, in the middle of a statement, leaves nothing, and that takes another one', async () => {
    const dataDir = at('cut-0')
    expect(await run('restore', await newest(), dataDir, '^sent insert into server_setting')).toBe('SIGKILL')
    expect(await leftIn({ dataDir })).toBe('empty')
    const again = await restoreBackup(await newest(), { dataDir, databaseUrl: undefined })
    expect(again).toMatchObject({ accounts: 2, differences: [] })
  }, 120_000)
})
