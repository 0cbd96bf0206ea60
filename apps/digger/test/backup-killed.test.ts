import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { assertWhole, listBackups, restoreBackup } from '@digger/backup'
import { openDatabase, readRestored } from '@digger/database'
import { seedFolder } from '@digger/database/testing'
import { loadOrCreate, readServerStop } from '@digger/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'

const home = mkdtempSync(join(tmpdir(), 'digger-killed-'))
const at = (name: string) => join(home, name)
const { PATH, NODE_COMPILE_CACHE } = process.env
const USER = 'killedkilledkill'
const trades = { shared: false, report: () => undefined }

beforeAll(async () => {
  await seedFolder(at('data'))
  const { db, pool, close } = await opened(at('data'))
  const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from(USER), created_at: 1 }
  await db
    .insertInto('users')
    .values({ id: USER, email: 'a@b.c', ...row, digger_admin: false, bank_balance: 0 })
    .execute()
  await loadOrCreate({ db, pool }, USER, 1_795_000_000_000)
  // Enough that there is a middle.
  await pool.query(
    `insert into audit (at, user_id, by_email, action, detail) select n, $1, 'a', 'b', repeat('c', 200) from generate_series(1, 20000) n`,
    [USER],
  )
  await close()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function opened(dataDir: string) {
  const database = await openDatabase({ dataDir, trades })
  return { db: database.db, pool: database.pool, close: () => database.close() }
}

/** An operator's command; killed after so many ms. True where it had come to its end. */
async function run(name: string, args: readonly string[], env: Readonly<Record<string, string>>, ms?: number) {
  const script = join(import.meta.dirname, `../src/${name}.ts`)
  const child = spawn(process.execPath, ['--no-warnings', script, ...args], {
    env: { PATH, NODE_COMPILE_CACHE, ...env },
    stdio: 'ignore',
  })
  const exit = once(child, 'exit')
  if (ms !== undefined) {
    await Promise.race([exit, delay(ms)])
    child.kill('SIGKILL')
  }
  const [code]: (number | null)[] = await exit
  return code === 0
}

/** How long it takes here and now, so that the kills are spread over all of it, ms. */
async function timed(work: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  expect(await work()).toBe(true)
  return performance.now() - began
}

const SHARES = [0.4, 0.7, 0.85, 0.95]

test('a backup that is killed at any moment is none, and the next one is whole', async () => {
  const into = at('backups')
  const backup = (ms?: number) => run('backup', [into], { DATA_DIR: at('data') }, ms)
  const wholeMs = await timed(() => backup())
  let done = 1
  for (const share of SHARES) done += (await backup(wholeMs * share)) ? 1 : 0
  expect(await backup()).toBe(true)
  const backups = await listBackups(into)
  for (const one of backups) await assertWhole(one)
  // One that was killed between its name and its end counts: it is whole.
  expect(backups.length).toBeGreaterThanOrEqual(done + 1)
  const names = readdirSync(into).filter((name) => !name.startsWith('.making-'))
  expect(names.toSorted()).toEqual(backups.map(({ name }) => name).toSorted())
}, 300_000)

test('a restore that is killed at any moment leaves nothing, or what is not traded on, or all of it, halted', async () => {
  const [newest] = await listBackups(at('backups'))
  const folder = newest?.folder ?? ''
  const restore = (name: string, ms?: number) => run('restore', [folder], { DATA_DIR: at(name) }, ms)
  const wholeMs = await timed(() => restore('whole'))
  for (const [n, share] of SHARES.entries()) {
    const isDone = await restore(`cut-${n}`, wholeMs * share)
    expect(isDone ? ['halted'] : ['empty', 'refused', 'halted']).toContain(await leftIn(at(`cut-${n}`), folder))
  }
}, 300_000)

/** What whoever comes next finds. */
async function leftIn(dataDir: string, folder: string): Promise<string> {
  if (!existsSync(dataDir)) return 'empty'
  const again = await restoreBackup(folder, { dataDir, databaseUrl: undefined }).catch(String)
  if (typeof again !== 'string') return 'empty'
  if (!again.includes('비어 있지 않은 데이터베이스')) return again
  const found = await opened(dataDir).catch(String)
  if (typeof found === 'string') return found.includes('되살리다 중간에 끊긴') ? 'refused' : found
  const { stop } = await readServerStop(found.db)
  const restored = await readRestored(found.db)
  await found.close()
  return stop === 'halt' && restored?.isWhole === true ? 'halted' : JSON.stringify({ stop, restored })
}
