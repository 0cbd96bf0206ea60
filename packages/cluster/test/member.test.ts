import { openDatabase, SHARDS } from '@digger/database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LocalBus, LocalWire } from '../src/index.ts'
import { Placement } from '../src/placement.ts'
import { cutSession } from './cut-session.ts'
import { shareOf } from './share.ts'
import { TestCluster, type TestWorker } from './test-cluster.ts'
import { holderWithoutAccounts } from './without-accounts.ts'

const SOON = { timeout: 20_000, interval: 10 }

let cluster: TestCluster
beforeEach(async () => {
  cluster = await TestCluster.open()
})
afterEach(() => cluster.end())

const owners = async () => {
  const rows = await cluster.database.db.selectFrom('shard').select(['worker', 'epoch']).execute()
  return Map.groupBy(rows, ({ worker }) => worker)
}
/** What letting go waits for, in both of its ways. */
function waitingFor(wire: Promise<void>): TestWorker {
  const worker: TestWorker = cluster.newWorker({
    holder: {
      letGo: async (shards) => {
        await wire
        await holderWithoutAccounts(worker.owned).letGo(shards)
      },
    },
  })
  return worker
}
/** Two of which each has its share, for so long that either may find the other dead. */
async function two(): Promise<readonly [TestWorker, TestWorker]> {
  const both = [await cluster.begin(), await cluster.begin()] as const
  const share = shareOf(both[1], both)
  await vi.waitFor(() => expect(cluster.counts).toEqual([SHARDS - share, share]), SOON)
  await cluster.time.pass(3_500)
  return both
}

test('one has all; of two each has its share, let go and not lost, and no shard has two', async () => {
  const one = await cluster.begin()
  expect(one.count).toBe(SHARDS)
  const other = await cluster.begin()
  await vi.waitFor(() => expect([other.count > 80, one.count + other.count]).toEqual([true, SHARDS]), SOON)
  expect(one.shards.filter((shard) => other.owned.has(shard))).toEqual([])
  expect([one.events.includes('lost'), other.events.includes('lost')]).toEqual([false, false])
  expect([one.problems, other.problems]).toEqual([[], []])
})

test('what waits for the wire goes when it has come back, and meanwhile it is nobody else’s', async () => {
  const wire = Promise.withResolvers<void>()
  await waitingFor(wire.promise).member.begin()
  const other = await cluster.begin()
  await cluster.time.pass(2_500)
  expect(cluster.counts).toEqual([SHARDS, 0])
  wire.resolve()
  await vi.waitFor(() => expect(other.count).toBeGreaterThan(80), SOON)
})

test('one that ends lets all go, and the next owner need not wait long for orders of it', async () => {
  const [one, other] = await two()
  await other.member.end({ withinMs: 5_000 })
  await vi.waitFor(() => expect(one.count).toBe(SHARDS), SOON)
  expect([other.events.includes('lost'), other.count]).toEqual([false, 0])
  const rows = await cluster.database.db.selectFrom('worker').select('id').execute()
  expect(rows).toEqual([{ id: one.member.id }])
})

test('what has come stays until its accounts trade, so that none stands still twice in a row', async () => {
  let isArmed = false
  const one = await cluster.begin({ isArmed: () => isArmed })
  const other = await cluster.begin()
  await cluster.time.pass(4_000)
  expect(cluster.counts).toEqual([SHARDS, 0])
  isArmed = true
  await vi.waitFor(() => expect(other.count).toBeGreaterThan(80), SOON)
  // Nobody waits for accounts that cannot trade: of one that is emptied all go at once.
  isArmed = false
  await one.member.end({ withinMs: 5_000 })
  await vi.waitFor(() => expect(other.count).toBe(SHARDS), SOON)
})

test('accounts that never trade keep nobody waiting for more than ten seconds', async () => {
  await cluster.begin({ isArmed: () => false })
  const other = await cluster.begin()
  await cluster.time.pass(8_000)
  expect(other.count).toBe(0)
  await vi.waitFor(() => expect(other.count).toBeGreaterThan(80), SOON)
})

test('what is let go is told, and whoever hears it looks in that moment', async () => {
  const wire = new LocalWire()
  const published: string[] = []
  new LocalBus(wire).subscribe('digger.free', (worker) => published.push(Buffer.from(worker).toString()))
  const one = await cluster.begin({ bus: new LocalBus(wire) })
  const { id } = one.member
  await one.member.end({ withinMs: 5_000 })
  await expect.poll(() => published).toEqual([id])
  await cluster.begin({ bus: new LocalBus(wire) })
  cluster.time.hold()
  const looks = vi.spyOn(Placement.prototype, 'look')
  new LocalBus(wire).publish('digger.free', Buffer.from('another'))
  await new Promise(setImmediate)
  expect(looks).toHaveBeenCalled()
  looks.mockRestore()
})

test('one that ends before all has come back from the wire stays known by its row: the next waits by its process', async () => {
  const one = waitingFor(new Promise(() => undefined))
  await one.member.begin()
  await one.member.end({ withinMs: 200 })
  const { db } = cluster.database
  const rows = await db.selectFrom('worker').select('id').execute()
  expect([...(await owners()).keys()]).toEqual(rows.map(({ id }) => id))
  // As if this process were over.
  await db.updateTable('worker').set({ started: '7' }).execute()
  const other = await cluster.begin()
  await vi.waitFor(() => expect(other.count).toBe(SHARDS), SOON)
  // Nothing of a dead process of this machine arrives later; of one that nobody knows it may for a quarter of an hour.
  expect(other.owned.of('')?.inheritedMs).toBe(120_000)
})

test('killed: the others notice by its lock, and have all at once', async () => {
  const [one, other] = await two()
  // Each waits for the lock of the other: to connect takes as long as it does.
  const waiting = `select from pg_locks l join pg_stat_activity a using (pid)
    where l.locktype = 'advisory' and not l.granted and a.datname = current_database()`
  await vi.waitFor(async () => expect((await cluster.database.pool.query(waiting)).rows).toHaveLength(2), SOON)
  cluster.time.goInOurs()
  const { id } = other.member
  cluster.time.standStill(other.member)
  await cutSession(cluster.database, id)
  // Nobody waits for its lease. What comes back afterwards, in this process, is another worker.
  await vi.waitFor(async () => expect((await owners()).has(id)).toBe(false), SOON)
  expect(one.found[0]).toBe('session')
})

test('stood still: its lease runs out, the others have its shards, and awake it loses them and begins again', async () => {
  const [one, other] = await two()
  cluster.time.standStill(other.member)
  await cluster.time.pass(3_000)
  expect(one.found).toEqual([])
  await vi.waitFor(() => expect(one.count).toBe(SHARDS), SOON)
  expect(new Set(one.found)).toEqual(new Set(['lease']))
  cluster.time.wake(other.member)
  expect(other.member.lease.held()).toBe(false)
  await vi.waitFor(() => expect(other.events).toEqual(expect.arrayContaining(['dead', 'lost'])), SOON)
  await vi.waitFor(() => expect([other.count > 10, one.count + other.count]).toEqual([true, SHARDS]), SOON)
  expect(other.events.filter((kind) => kind === 'joined')).toHaveLength(2)
})

test('whose session is cut while nobody else is there goes on with the same shards', async () => {
  const { member, events, owned } = await cluster.begin()
  const { id } = member
  await cutSession(cluster.database, id)
  await cluster.time.pass(6_500)
  await vi.waitFor(() => expect(member.lease.held()).toBe(true), SOON)
  expect([member.id, owned.all().length, events.includes('dead')]).toEqual([id, SHARDS, false])
})

test('whose session is cut beside others loses its shards, and begins again as another worker', async () => {
  const [one, other] = await two()
  const { id } = one.member
  await cutSession(cluster.database, id)
  await vi.waitFor(() => expect([one.events.includes('dead'), one.member.id === id]).toEqual([true, false]), SOON)
  await vi.waitFor(() => expect([one.count > 10, one.count + other.count]).toEqual([true, SHARDS]), SOON)
  expect(one.shards.filter((shard) => other.owned.has(shard))).toEqual([])
})

test('one whose accounts cannot be read does not keep them from the others for ever', async () => {
  let fails = true
  const one = await cluster.begin({
    holder: {
      own: async () => {
        if (fails) throw new Error('no memory')
      },
    },
  })
  expect([one.count, one.problems.length > 0]).toEqual([0, true])
  fails = false
  await vi.waitFor(() => expect(one.count).toBe(SHARDS), SOON)
})

test('neither beside the one server that owns all, nor it beside workers', async () => {
  const place = { databaseUrl: cluster.url, dataDir: '', lockWaitMs: 0 }
  const all = await openDatabase(place)
  await expect(cluster.begin()).rejects.toThrow(/한 대짜리/)
  await all.close()
  const one = await cluster.begin()
  expect(one.count).toBe(SHARDS)
  await expect(openDatabase(place)).rejects.toThrow(/다른 Digger/)
})
