import { FACTS_VERSION, openDatabase, SHARDS } from '@digger/database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ClusterWatch } from '../src/index.ts'
import { lastMoves } from '../src/moves.ts'
import { LEASE_S } from '../src/worker-rows.ts'
import { shareOf } from './share.ts'
import { TestCluster } from './test-cluster.ts'

const MOVED = { timeout: 20_000, interval: 10 }
/** Programs that read so many kinds of facts. */
const [OLD, NEW] = [{ facts: FACTS_VERSION }, { facts: FACTS_VERSION + 1 }]

let cluster: TestCluster
beforeEach(async () => {
  cluster = await TestCluster.open()
})
afterEach(() => cluster.end())

test('what a newer one has had goes to no older one, even when nobody else is there', async () => {
  const before = await cluster.begin(OLD)
  const next = await cluster.begin(NEW)
  const share = shareOf(next, [before, next])
  await vi.waitFor(() => expect(next.count).toBe(share), MOVED)
  const theirs = next.shards
  await next.member.end({ withinMs: 5_000 })
  await cluster.time.pass(2_500)
  expect(theirs.filter((shard) => before.owned.has(shard))).toEqual([])
  expect(before.count).toBe(SHARDS - theirs.length)

  const again = await cluster.begin(NEW)
  await vi.waitFor(() => expect(before.count + again.count).toBe(SHARDS), MOVED)
  expect(theirs.filter((shard) => !again.owned.has(shard))).toEqual([])
})

test('one by one all are replaced, and each shard has an owner in the end', async () => {
  const { db } = cluster.database
  for (const { member } of [await cluster.begin(OLD), await cluster.begin(OLD)]) {
    await cluster.begin(NEW)
    await member.end({ withinMs: 10_000 })
  }
  await vi.waitFor(async () => {
    const rows = await db.selectFrom('shard').select(['worker', 'facts']).execute()
    const owners = new Set(rows.map(({ worker }) => worker))
    expect([owners.has(null), rows.every(({ facts }) => facts === NEW.facts)]).toEqual([false, true])
  }, MOVED)
})

test('everybody can see who is there and what has no owner, and for how long', async () => {
  const { database, time } = cluster
  const clock = time.newClock()
  const watch = new ClusterWatch(database.db, clock)
  await watch.look()
  expect([watch.unowned.shards, watch.workers]).toEqual([SHARDS, []])
  clock.advance(60)
  await watch.look()
  expect(watch.unowned.ms).toBe(60)
  const { member } = await cluster.begin(NEW)
  await watch.look()
  expect([watch.unowned, watch.workers]).toMatchObject([
    { shards: 0, ms: 0 },
    [{ id: member.id, facts: NEW.facts, draining: false, buried: false, shards: SHARDS }],
  ])
  // Some of its lease has passed, and as long as the worker is alive some is left.
  const { leaseMs = 0, since = 0 } = watch.workers[0] ?? {}
  expect([leaseMs > 0, leaseMs <= LEASE_S * 1_000, Date.now() - since]).toEqual([true, true, expect.closeTo(0, -4.4)])
  // Its row is there, its lease is over.
  time.hold()
  await database.pool.query(`update worker set until = now() - interval '1 s'`)
  await watch.look()
  expect(watch.unowned.shards).toBe(SHARDS)
})

test('the one server for all accounts, too, refuses what a newer program has had', async () => {
  const only = await cluster.begin(NEW)
  await only.member.end({ withinMs: 5_000 })
  await expect(openDatabase({ databaseUrl: cluster.url, dataDir: '' })).rejects.toThrow(/더 새 Digger가 맡은/)
})

test('who took how many from whom is written down, and old rows go', async () => {
  const { db, pool } = cluster.database
  const one = await cluster.begin(OLD)
  const first = one.member.id
  await one.member.end({ withinMs: 5_000 })
  const two = await cluster.begin(OLD)
  expect(await lastMoves(db, 10)).toMatchObject([
    { worker: two.member.id, former: first, why: 'released', shards: SHARDS },
    { worker: first, former: null, why: 'free', shards: SHARDS },
  ])
  await pool.query(`insert into shard_move (worker, why, shards) select 'x', 'free', 1 from generate_series(1, 500)`)
  await two.member.end({ withinMs: 5_000 })
  await cluster.begin(OLD)
  expect(await db.selectFrom('shard_move').select('id').execute()).toHaveLength(300)
})
