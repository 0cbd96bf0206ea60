import { setTimeout as delay } from 'node:timers/promises'
import { FACTS_VERSION, type Database, openDatabase, OwnedShards, SHARDS } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Member } from '../src/index.ts'
import { Placement } from '../src/placement.ts'
import { memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
const SOON = { timeout: 40_000, interval: 20 }
/** Longer than every lease. */
const LONG_MS = 6_500
/** Shorter than any: locks are gone, leases are not. */
const SHORT_MS = 300

interface TestWorker {
  readonly member: Member
  readonly owned: OwnedShards
  readonly events: string[]
}

let server: PostgresServer
let database: Database
let workers: TestWorker[] = []

async function begin(url: string): Promise<TestWorker> {
  const owned = new OwnedShards()
  const events: string[] = []
  const member = memberWithoutAccounts({ url, db: database.db, owned, report: ({ kind }) => events.push(kind) })
  await member.begin()
  const worker = { member, owned, events }
  workers.push(worker)
  return worker
}

const shards = (): number[][] => workers.map(({ owned }) => owned.all().toSorted((a, b) => a - b))
/** Each has its share, and nothing moves any more. */
async function spread(): Promise<void> {
  const before = shards()
  await delay(2_500)
  expect(shards()).toEqual(before)
  expect(before.flat()).toHaveLength(SHARDS)
  expect(Math.min(...before.map(({ length }) => length))).toBeGreaterThan(40)
}

describe.skipIf(bin === null)('an outage of the database (skipped where no PostgreSQL is installed)', () => {
  beforeEach(async () => {
    server = await startPostgres(bin ?? '')
    database = await openDatabase({ databaseUrl: server.url, dataDir: '', exclusive: false })
    workers = []
  }, 120_000)
  afterEach(async () => {
    for (const { member } of workers) await member.end({ withinMs: 0 })
    await database.close()
    await server[Symbol.asyncDispose]()
  })

  test.each([
    ['longer than every lease', LONG_MS],
    ['shorter than any lease', SHORT_MS],
  ])(
    '%s: everybody goes on with the shards it had',
    async (_, ms) => {
      for (let n = 0; n < 3; n += 1) await begin(server.url)
      await vi.waitFor(spread, SOON)
      const before = shards()
      const seen = workers.map(({ events }) => events.length)
      await server.crash()
      await delay(ms)
      await server.start()
      await vi.waitFor(() => expect(workers.map(({ member }) => member.lease.held())).toEqual([true, true, true]), SOON)
      // What would be found dead would be so by now.
      await delay(6_000)
      expect(workers.map(({ events }, n) => events.slice(seen[n]))).toEqual([[], [], []])
      expect(shards()).toEqual(before)
    },
    120_000,
  )

  test('who does not come back after it is found dead all the same', async () => {
    for (let n = 0; n < 2; n += 1) await begin(server.url)
    await vi.waitFor(spread, SOON)
    await server.crash()
    const [, gone] = workers
    await gone?.member.end({ withinMs: 0 })
    gone?.owned.all().forEach((shard) => gone.owned.drop(shard))
    await server.start()
    await vi.waitFor(() => expect(workers[0]?.owned.all().length).toBe(SHARDS), SOON)
  }, 120_000)

  test('a round that waited for the database takes nothing from the worker that its process has become', async () => {
    const owned = new OwnedShards()
    const lost: number[] = []
    const placement = new Placement({
      db: database.db,
      owned,
      me: { id: 'before', lease: { held: () => false }, draining: false, facts: FACTS_VERSION, attachedMs: LONG_MS },
      holder: {
        own: async () => undefined,
        letGo: async () => undefined,
        lose: async (shards) => void lost.push(...shards),
      },
      report: () => undefined,
    })
    const waiting = placement.look()
    await placement.loseAll()
    for (let shard = 0; shard < SHARDS; shard += 1) owned.take(shard, { epoch: 1, inheritedMs: 0 })
    await waiting
    await placement.look()
    expect([lost, owned.all().length]).toEqual([[], SHARDS])
  })
})
