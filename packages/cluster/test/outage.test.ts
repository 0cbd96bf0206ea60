import { FACTS_VERSION, OwnedShards, SHARDS } from '@digger/database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Placement } from '../src/placement.ts'
import { shareOf } from './share.ts'
import { TestCluster } from './test-cluster.ts'

const SOON = { timeout: 20_000, interval: 10 }
/** Longer than every lease. */
const LONG_MS = 6_500
/** Shorter than any: locks are gone, leases are not. */
const SHORT_MS = 300

let cluster: TestCluster
beforeEach(async () => {
  cluster = await TestCluster.open()
})
afterEach(() => cluster.end())

/** So many, of which each has its share, and nothing moves any more. */
async function spread(count: number): Promise<void> {
  const { workers } = cluster
  while (workers.length < count) await cluster.begin()
  const shares = workers.map((worker) => shareOf(worker, workers))
  await vi.waitFor(() => expect(cluster.counts).toEqual(shares), SOON)
  await cluster.time.pass(3_500)
}

test.each([
  ['longer than every lease', LONG_MS],
  ['shorter than any lease', SHORT_MS],
])('%s: everybody goes on with the shards it had', async (_, ms) => {
  await spread(3)
  const { workers, time } = cluster
  const before = workers.map(({ shards }) => shards)
  const seen = workers.map(({ events }) => events.length)
  await time.whileHeld(() => cluster.place.cut())
  await time.pass(ms)
  // A connection takes as long as it does: the three seconds in which everybody comes back are ours.
  await time.inOurs(async () => {
    await cluster.place.restore()
    await time.pass(1_500)
    await vi.waitFor(() => workers.map(({ member }) => expect(member.leaseAgeMs).toBeLessThan(1_000)), SOON)
  })
  expect(workers.map(({ member }) => member.lease.held())).toEqual([true, true, true])
  // What would be found dead would be so by now.
  await time.pass(6_000)
  expect(workers.map(({ events }, n) => events.slice(seen[n]))).toEqual([[], [], []])
  expect(workers.map(({ shards }) => shards)).toEqual(before)
})

test('who does not come back after it is found dead all the same', async () => {
  await spread(2)
  const [left, gone] = cluster.workers
  await cluster.place.cut()
  if (gone !== undefined) cluster.time.standStill(gone.member)
  await cluster.place.restore()
  await vi.waitFor(() => expect(left?.count).toBe(SHARDS), SOON)
})

/** One that has nothing, and has had its connection for so long. */
const placementOf = (attachedMs: number, owned: OwnedShards, lost: number[] = []) =>
  new Placement({
    db: cluster.database.db,
    owned,
    me: { id: 'me', lease: { held: () => false }, draining: false, facts: FACTS_VERSION, attachedMs },
    holder: {
      own: async () => undefined,
      letGo: async () => undefined,
      lose: async (shards) => void lost.push(...shards),
    },
    report: () => undefined,
  })

test('whoever is back first finds nobody dead before three seconds: neither by a lock, nor by a lease', async () => {
  const { db, pool } = cluster.database
  await pool.query(
    `insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, until)
     select id, '', 900, '', 1, '', '', '', now() + seconds * interval '1 s'
     from (values ('me', 60), ('locked', 60), ('silent', -1)) as one (id, seconds)`,
  )
  await db.updateTable('shard').set({ worker: 'silent' }).where('id', '<', 10).execute()
  const foundDead = async (attachedMs: number) => {
    const placement = placementOf(attachedMs, new OwnedShards())
    await placement.sessionGone('locked')
    await placement.look()
    const rows = await db.selectFrom('worker').select('id').where('buried', '=', true).orderBy('id').execute()
    return rows.map(({ id }) => id)
  }
  expect(await foundDead(2_999)).toEqual([])
  expect(await foundDead(3_000)).toEqual(['locked', 'silent'])
})

test('a round that waited for the database takes nothing from the worker that its process has become', async () => {
  const owned = new OwnedShards()
  const lost: number[] = []
  const placement = placementOf(LONG_MS, owned, lost)
  const waiting = placement.look()
  await placement.loseAll()
  for (let shard = 0; shard < SHARDS; shard += 1) owned.take(shard, { epoch: 1, inheritedMs: 0 })
  await waiting
  await placement.look()
  expect([lost, owned.all().length]).toEqual([[], SHARDS])
})
