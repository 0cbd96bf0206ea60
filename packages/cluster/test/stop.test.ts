import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestCluster, type TestWorker } from './test-cluster.ts'

const SOON = { timeout: 20_000, interval: 1 }
/** Longer than any lease. */
const WAIT_MS = 10_000

interface Applied {
  readonly version: number
  /** Whether the worker might trade when it read it. */
  readonly held: boolean
}

let cluster: TestCluster
/** The stop as each worker read it, whenever it was another one. */
let read: Map<TestWorker, Applied[]>

beforeEach(async () => {
  cluster = await TestCluster.open()
  read = new Map()
})
afterEach(() => cluster.end())

async function begin(): Promise<TestWorker> {
  const worker: TestWorker = cluster.newWorker({
    stopRead: (row) => {
      const version = row?.version ?? 0
      if (version !== stopOf(worker)) readOf(worker).push({ version, held: worker.member.lease.held() })
    },
  })
  read.set(worker, [])
  await worker.member.begin()
  return worker
}

const readOf = (worker: TestWorker): Applied[] => read.get(worker) ?? []
/** The version that is applied there. */
const stopOf = (worker: TestWorker): number | undefined => readOf(worker).at(-1)?.version

/** As a person at one of the servers, or anybody at the tables. */
async function setStop(value: string): Promise<number> {
  const { version } = await cluster.database.db
    .insertInto('server_setting')
    .values({ name: 'serverStop', value, why: null })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .returning('version')
    .executeTakeFirstOrThrow()
  return version
}

test('holds when every worker has applied it, with nothing but the tables between them', async () => {
  const [one, ...others] = [await begin(), await begin(), await begin()] as const
  let isOver = false
  const { version, holds } = await cluster.time.whileHeld(async () => {
    const set = await setStop('halt')
    const waiting = one.member.stopHolds(set, WAIT_MS).finally(() => (isOver = true))
    // Long enough for it to look, and nobody has renewed its lease.
    await delay(100)
    expect(isOver).toBe(false)
    return { version: set, holds: waiting }
  })
  expect(await holds).toEqual([])
  expect(others.map(stopOf)).toEqual([version, version])
  await vi.waitFor(() => expect(stopOf(one)).toBe(version), SOON)
})

test('a hint needs no renewal of each second', async () => {
  cluster.time.hold()
  const [one, other] = [await begin(), await begin()]
  const version = await setStop('reduce')
  other.member.readStop()
  await vi.waitFor(() => expect(stopOf(other)).toBe(version), SOON)
  await vi.waitFor(async () => expect(await one.member.stopHolds(version, -1)).toEqual([]), SOON)
  expect(one.events.includes('buried')).toBe(false)
})

test('a worker that comes reads it before it may trade', async () => {
  await begin()
  const version = await setStop('halt')
  const comes = await begin()
  expect([readOf(comes), comes.member.lease.held()]).toEqual([[{ version, held: false }], true])
})

test('one that stands still is waited for until its lease is over, and awake it never trades by the old one', async () => {
  const [one, other] = [await begin(), await begin()]
  const { time } = cluster
  await time.pass(1_500)
  time.standStill(other.member)
  const version = await setStop('halt')
  const holds = one.member.stopHolds(version, WAIT_MS)
  await time.pass(3_000)
  expect(one.events).not.toContain('buried')
  expect(await holds).toEqual([])
  expect(one.events).toContain('buried')
  const tradedBy = new Set<number | undefined>()
  time.wake(other.member)
  await vi.waitFor(() => {
    if (other.member.lease.held()) tradedBy.add(stopOf(other))
    expect(tradedBy).toContain(version)
  }, SOON)
  expect([...tradedBy]).toEqual([version])
  expect(readOf(other).at(-1)).toEqual({ version, held: false })
})

test('a renewal that was under way with the stop of before does not count for the new one', async () => {
  const [one, other] = [await begin(), await begin()]
  const lock = await cluster.database.pool.connect()
  await lock.query('begin')
  await lock.query('select from worker where id = $1 for update', [other.member.id])
  // Its next renewal has read the old stop by now, and waits for the row.
  await vi.waitFor(async () => {
    const { rows } = await lock.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like 'update worker%'`,
    )
    expect(rows).toHaveLength(1)
  }, SOON)
  const version = await setStop('halt')
  await lock.query('commit')
  lock.release()
  expect(await one.member.stopHolds(version, WAIT_MS)).toEqual([])
  expect(stopOf(other)).toBe(version)
})

test('of a worker that goes on without applying it nobody says that it stopped', async () => {
  const one = await begin()
  await cluster.database.pool.query(
    `insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, until)
     values ('deaf', '0', 0, '', 0, '', '', '', now() + interval '1 h')`,
  )
  expect(await one.member.stopHolds(await setStop('halt'), 300)).toEqual(['deaf'])
})
