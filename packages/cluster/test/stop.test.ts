import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { type Database, openDatabase, OwnedShards } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { Member } from '../src/index.ts'
import { memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
const SOON = { timeout: 15_000, interval: 20 }
/** Longer than any lease. */
const WAIT_MS = 10_000

let server: PostgresServer
let url = ''
let database: Database
let workers: TestWorker[] = []
let child: ChildProcess | null = null

class TestWorker {
  /** Version of the stop that is applied. */
  stop = -1
  /** Whether it might trade when it read its first one. */
  heldAtFirst: boolean | null = null
  readonly events: string[] = []
  readonly member: Member

  constructor() {
    const owned = new OwnedShards()
    this.member = memberWithoutAccounts({
      url,
      db: database.db,
      owned,
      stopRead: (row) => {
        this.heldAtFirst ??= this.member.lease.held()
        this.stop = row?.version ?? 0
      },
      report: ({ kind }) => this.events.push(kind),
    })
    workers.push(this)
  }

  static async begin(): Promise<TestWorker> {
    const worker = new TestWorker()
    await worker.member.begin()
    return worker
  }
}

/** As a person at one of the servers, or anybody at the tables. */
async function setStop(value: string): Promise<number> {
  const { version } = await database.db
    .insertInto('server_setting')
    .values({ name: 'serverStop', value, why: null })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

const Line = z.object({ kind: z.string(), held: z.boolean().optional(), stop: z.number().optional() })

/** A worker of its own process; what it says each tenth of a second. */
function startChild(): { readonly output: z.output<typeof Line>[]; readonly signal: (name: NodeJS.Signals) => void } {
  const script = new URL('worker.ts', import.meta.url).pathname
  const started = spawn(process.execPath, [script, url], { stdio: ['ignore', 'pipe', 'inherit'] })
  child = started
  const output: z.output<typeof Line>[] = []
  createInterface({ input: started.stdout }).on('line', (text) => output.push(Line.parse(JSON.parse(text))))
  return { output, signal: (name) => void started.kill(name) }
}

describe.skipIf(bin === null)('the stop of the server at several workers (skipped without PostgreSQL)', () => {
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
  }, 120_000)
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(async () => {
    url = await server.newDatabase()
    database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
    workers = []
    child = null
  })
  afterEach(async () => {
    if (child !== null && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
    for (const { member } of workers) await member.end({ withinMs: 0 })
    await database.close()
  })

  test('holds when every worker has applied it, with nothing but the tables between them', async () => {
    const all = [await TestWorker.begin(), await TestWorker.begin(), await TestWorker.begin()]
    const version = await setStop('halt')
    expect(await all[0]?.member.stopHolds(version, WAIT_MS)).toEqual([])
    expect(all.slice(1).map(({ stop }) => stop)).toEqual([version, version])
    await vi.waitFor(() => expect(all[0]?.stop).toBe(version), SOON)
  })

  test('a hint needs no renewal of each second', async () => {
    // None comes by itself.
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    onTestFinished(() => void vi.useRealTimers())
    const [one, other] = [await TestWorker.begin(), await TestWorker.begin()]
    const version = await setStop('reduce')
    other.member.readStop()
    expect(await one.member.stopHolds(version, WAIT_MS)).toEqual([])
    expect([other.stop, one.events.includes('buried')]).toEqual([version, false])
  })

  test('a worker that comes reads it before it may trade', async () => {
    await TestWorker.begin()
    const version = await setStop('halt')
    const { stop, heldAtFirst, member } = await TestWorker.begin()
    expect([stop, heldAtFirst, member.lease.held()]).toEqual([version, false, true])
  })

  test('one that stands still is waited for until its lease is over, and awake it never trades by the old one', async () => {
    const one = await TestWorker.begin()
    const { output, signal } = startChild()
    await vi.waitFor(() => expect(output.some(({ held }) => held === true)).toBe(true), SOON)
    await delay(1_500)
    signal('SIGSTOP')
    const version = await setStop('halt')
    expect(await one.member.stopHolds(version, WAIT_MS)).toEqual([])
    expect(one.events).toContain('buried')
    // Whatever it said before it was stopped has been read by now.
    const before = output.length
    signal('SIGCONT')
    const wokenUp = () => output.slice(before)
    await vi.waitFor(() => expect(wokenUp().some(({ held, stop }) => held && stop === version)).toBe(true), SOON)
    expect(wokenUp().filter(({ held, stop }) => held === true && stop !== version)).toEqual([])
  }, 60_000)

  test('a renewal that was under way with the stop of before does not count for the new one', async () => {
    const [one, other] = [await TestWorker.begin(), await TestWorker.begin()]
    const lock = await database.pool.connect()
    await lock.query('begin')
    await lock.query('select from worker where id = $1 for update', [other.member.id])
    // Its next renewal has read the old stop by now, and waits for the row.
    await delay(1_500)
    const version = await setStop('halt')
    await lock.query('commit')
    lock.release()
    expect(await one.member.stopHolds(version, WAIT_MS)).toEqual([])
    expect(other.stop).toBe(version)
  })

  test('of a worker that goes on without applying it nobody says that it stopped', async () => {
    const one = await TestWorker.begin()
    await database.pool.query(
      `insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, until)
       values ('deaf', '0', 0, '', 0, '', '', '', now() + interval '1 h')`,
    )
    expect(await one.member.stopHolds(await setStop('halt'), 300)).toEqual(['deaf'])
  })
})
