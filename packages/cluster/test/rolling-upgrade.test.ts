import { type Database, FACTS_VERSION, openDatabase, OwnedShards, SHARDS } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ClusterWatch, type Member } from '../src/index.ts'
import { lastMoves } from '../src/moves.ts'
import { LEASE_S } from '../src/worker-rows.ts'
import { shareOf } from './share.ts'
import { memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
const MOVED = { timeout: 20_000, interval: 50 }
const [OLD, NEW] = [FACTS_VERSION, FACTS_VERSION + 1]

let server: PostgresServer
let url = ''
let database: Database
let members: Member[] = []

/** A worker of a program that reads so many kinds of facts; it has no accounts. */
async function begin(facts: number): Promise<{ member: Member; owned: OwnedShards }> {
  const owned = new OwnedShards()
  const member = memberWithoutAccounts({ url, db: database.db, owned, facts })
  members.push(member)
  await member.begin()
  return { member, owned }
}

const moves = () =>
  database.db.selectFrom('shard_move').select(['worker', 'former', 'why', 'shards']).orderBy('id').execute()

describe.skipIf(bin === null)('old and new workers on one database (skipped where no PostgreSQL is installed)', () => {
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())
  beforeEach(async () => {
    url = await server.newDatabase()
    database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
    members = []
  })
  afterEach(async () => {
    for (const member of members) await member.end({ withinMs: 0 })
    await database.close()
  })

  test('what a newer one has had goes to no older one, even when nobody else is there', async () => {
    const before = await begin(OLD)
    const next = await begin(NEW)
    const share = shareOf(next.member, [before.member, next.member])
    await vi.waitFor(() => expect(next.owned.all().length).toBe(share), MOVED)
    const theirs = new Set(next.owned.all())
    await next.member.end({ withinMs: 5_000 })
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(before.owned.all().filter((shard) => theirs.has(shard))).toEqual([])
    expect(before.owned.all()).toHaveLength(SHARDS - theirs.size)

    const again = await begin(NEW)
    await vi.waitFor(() => expect(before.owned.all().length + again.owned.all().length).toBe(SHARDS), MOVED)
    expect([...theirs].filter((shard) => !again.owned.has(shard))).toEqual([])
  }, 60_000)

  test('one by one all are replaced, and each shard has an owner in the end', async () => {
    const [one, two] = [await begin(OLD), await begin(OLD)]
    for (const { member } of [one, two]) {
      await begin(NEW)
      await member.end({ withinMs: 10_000 })
    }
    await vi.waitFor(async () => {
      const rows = await database.db.selectFrom('shard').select(['worker', 'facts']).execute()
      const owners = new Set(rows.map(({ worker }) => worker))
      expect([owners.has(null), rows.every(({ facts }) => facts === NEW)]).toEqual([false, true])
    }, MOVED)
  }, 60_000)

  test('everybody can see who is there and what has no owner, and for how long', async () => {
    const watch = new ClusterWatch(database.db)
    await watch.look()
    expect([watch.unowned.shards, watch.workers]).toEqual([SHARDS, []])
    await new Promise((resolve) => setTimeout(resolve, 60))
    await watch.look()
    expect(watch.unowned.ms).toBeGreaterThan(50)
    const { member } = await begin(NEW)
    await watch.look()
    expect([watch.unowned, watch.workers]).toMatchObject([
      { shards: 0, ms: 0 },
      [{ id: member.id, facts: NEW, draining: false, buried: false, shards: SHARDS }],
    ])
    // Some of its lease has passed, and as long as the worker is alive some is left.
    const { leaseMs = 0, since = 0 } = watch.workers[0] ?? {}
    expect([leaseMs > 0, leaseMs <= LEASE_S * 1_000, Date.now() - since]).toEqual([true, true, expect.closeTo(0, -4.4)])
    // Its row is there, its lease is over.
    await database.pool.query(`update worker set until = now() - interval '1 s'`)
    await watch.look()
    expect(watch.unowned.shards).toBe(SHARDS)
  })

  test('the one server for all accounts, too, refuses what a newer program has had', async () => {
    const only = await begin(NEW)
    await only.member.end({ withinMs: 5_000 })
    await expect(openDatabase({ databaseUrl: url, dataDir: '' })).rejects.toThrow(/더 새 Digger가 맡은/)
  })

  test('who took how many from whom is written down, and old rows go', async () => {
    const one = await begin(OLD)
    const first = one.member.id
    await one.member.end({ withinMs: 5_000 })
    const two = await begin(OLD)
    expect(await lastMoves(database.db, 10)).toMatchObject([
      { worker: two.member.id, former: first, why: 'released', shards: SHARDS },
      { worker: first, former: null, why: 'free', shards: SHARDS },
    ])
    await database.pool.query(
      `insert into shard_move (worker, why, shards) select 'x', 'free', 1 from generate_series(1, 500)`,
    )
    await two.member.end({ withinMs: 5_000 })
    await begin(OLD)
    expect(await moves()).toHaveLength(300)
  }, 60_000)
})
