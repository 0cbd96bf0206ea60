import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { poolOf } from '../src/connections.ts'
import { type DatabasePlace, openDatabase } from '../src/open.ts'
import { readDurability } from '../src/durability.ts'
import { connected } from './ask.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'
import { startStandby } from './standby.ts'

const SOON = { timeout: 20_000, interval: 20 }

let server: PostgresServer
let pool: Pool
let reported: string[] = []

/** As whoever trades opens it; what it was told meanwhile is in `reported`. */
async function opens(shared: boolean, place: Partial<DatabasePlace> = {}): Promise<void> {
  reported = []
  const trades = { shared, report: (line: string) => void reported.push(line) }
  const opened = await openDatabase({ databaseUrl: server.url, dataDir: '', exclusive: false, trades, ...place })
  await opened.close()
}

const loadedAt = async (): Promise<unknown> => (await pool.query('select pg_conf_load_time()::text as at')).rows[0]?.at

/** Settings that the server reads anew, until the function that comes back is called. */
async function set(settings: Readonly<Record<string, string>>): Promise<() => Promise<void>> {
  const each = async (change: (name: string, value: string) => string): Promise<void> => {
    for (const [name, value] of Object.entries(settings)) await pool.query(change(name, value))
    const before = await loadedAt()
    await pool.query('select pg_reload_conf()')
    // The server has read them before its sessions do.
    await vi.waitFor(async () => expect(await loadedAt()).not.toBe(before), SOON)
  }
  await each((name, value) => `alter system set ${name} = '${value}'`)
  return () => each((name) => `alter system reset ${name}`)
}
const states = async () => (await readDurability(pool)).standbys

describe('what PostgreSQL keeps of a commit', () => {
  beforeAll(async () => {
    server = await startPostgres()
    pool = poolOf({ connectionString: server.url, max: 1 })
  }, 60_000)
  afterAll(async () => {
    await pool.end()
    await server[Symbol.asyncDispose]()
  })

  test('by its own settings it is opened, and that there is no standby is told', async () => {
    await opens(true)
    expect(reported).toEqual([expect.stringMatching(/복제 서버가 없습니다/)])
  })

  test.each<[string, Record<string, string>, RegExp]>([
    ['answers before it has written', { synchronous_commit: 'off' }, /synchronous_commit이 off.*on으로/],
    ['does not wait for its disk', { fsync: 'off' }, /fsync가 off.*on으로/],
    ['may break at a power cut', { full_page_writes: 'off' }, /full_page_writes가 off.*on으로/],
    ['waits for a standby that nobody sees', { synchronous_standby_names: 'gone' }, /\(gone\).*붙어 있지 않아/],
  ])('one that %s is refused, and nothing is written in it', async (_name, settings, message) => {
    // Or the setting itself would wait for the standby.
    await pool.query(`set synchronous_commit = local`)
    const back = await set(settings)
    await expect(opens(true)).rejects.toThrow(message)
    await back()
    await pool.query(`reset synchronous_commit`)
    await opens(true)
  })

  test('one server for all accounts is told of what several would be refused for; only commits that are no commits are refused to it, too', async () => {
    const back = await set({ fsync: 'off' })
    await opens(false)
    expect(reported).toEqual(expect.arrayContaining([expect.stringMatching(/fsync=off/)]))
    await back()
    const again = await set({ synchronous_commit: 'off' })
    await expect(opens(false)).rejects.toThrow(/synchronous_commit/)
    await again()
  })

  test('an asynchronous standby is refused to several, with what to set; set so, it is waited for', async () => {
    await using standby = await startStandby(pool, server.url, 'second')
    await vi.waitFor(async () => expect(await states()).toEqual(['async']), SOON)
    await expect(opens(true)).rejects.toThrow(/비동기 복제.*synchronous_standby_names/)
    await opens(false)
    expect(reported).toEqual([expect.stringMatching(/비동기 복제 서버가 1개/)])
    await expect(opens(true, { databaseUrl: standby.url })).rejects.toThrow(/읽기만 되는/)

    const back = await set({ synchronous_standby_names: 'second' })
    await vi.waitFor(async () => expect(await states()).toEqual(['sync']), SOON)
    await opens(true)
    expect(reported).toEqual([expect.stringMatching(/동기 복제 서버 1개를 기다립니다/)])
    await pool.query(`set synchronous_commit = local`)
    await back()

    const other = await set({ synchronous_standby_names: 'third' })
    await vi.waitFor(async () => expect(await states()).toEqual(['async']), SOON)
    await expect(opens(true)).rejects.toThrow(/\(third\)에 없습니다/)
    await other()
    await pool.query(`reset synchronous_commit`)
  }, 90_000)

  test('whoever may not see the standbys is told so: refused where commits wait for none, let in where they wait', async () => {
    await pool.query(`create role plain login in role pg_write_all_data`)
    await pool.query(`grant all on schema public to plain; grant all on all tables in schema public to plain`)
    const databaseUrl = server.url.replace('digger@', 'plain@')
    await using standby = await startStandby(pool, server.url, 'second')
    await vi.waitFor(async () => expect(await states()).toEqual(['async']), SOON)
    await expect(opens(true, { databaseUrl })).rejects.toThrow(/볼 권한도 없습니다.*pg_monitor/)
    const back = await set({ synchronous_standby_names: 'second' })
    await vi.waitFor(async () => expect(await states()).toEqual(['sync']), SOON)
    await opens(true, { databaseUrl })
    expect(reported).toEqual([expect.stringMatching(/볼 권한이 없습니다.*pg_monitor/)])
    expect(standby.url).not.toBe(server.url)
    await pool.query(`set synchronous_commit = local`)
    await back()
  }, 90_000)

  test('a backup that runs is no standby', async () => {
    // The line of the one before may be there for a moment longer than it.
    await vi.waitFor(async () => expect(await states()).toEqual([]), SOON)
    const backup = await connected(`${server.url}?application_name=pg_basebackup&replication=database`)
    expect(await states()).toEqual([])
    await backup.end()
  })

  test('a restart of PostgreSQL is survived, and the claim is taken again', async () => {
    const database = await openDatabase({ databaseUrl: await server.newDatabase(), dataDir: '' })
    await server.restart()
    await expect
      .poll(
        () =>
          database.pool.query('select 1 as one').then(
            ({ rows }) => rows[0].one,
            () => 0,
          ),
        { timeout: 10_000 },
      )
      .toBe(1)
    await expect
      .poll(
        () =>
          database.pool.query(`select 1 from pg_locks where locktype = 'advisory'`).then(({ rowCount }) => rowCount),
        {
          timeout: 10_000,
        },
      )
      .toBe(1)
    await database.close()
  })
})
