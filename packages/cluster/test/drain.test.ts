import { SHARDS } from '@digger/database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readCluster, setDraining } from '../src/index.ts'
import { lastMoves } from '../src/moves.ts'
import { LEASE_S } from '../src/worker-rows.ts'
import { shareOf } from './share.ts'
import { TestCluster, type TestWorker } from './test-cluster.ts'

const SOON = { timeout: 20_000, interval: 10 }

let cluster: TestCluster
beforeEach(async () => {
  cluster = await TestCluster.open()
})
afterEach(() => cluster.end())

const settled = (...expected: readonly number[]): Promise<void> =>
  vi.waitFor(() => expect(cluster.counts).toEqual(expected), SOON)
const setDrain = (id: string | null, draining: boolean) => setDraining(cluster.database.db, id ?? '', draining)
const drain = ({ member }: TestWorker, draining = true) => setDrain(member.id, draining)
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000)
/** `hours`: how long its lease still counts, less than none where it is over. */
const insertWorker = (id: string, facts: number, hours: number) =>
  cluster.database.pool.query(
    `insert into worker (id, facts, lock, version, host, pid, pid_namespace, boot_id, started, until)
     values ($1, $2, 900, '', '', 1, '', '', '', now() + $3 * interval '1 h')`,
    [id, facts, hours],
  )

test('it lets all go and stays; taken back it has the same share again; moves say so', async () => {
  const [one, two] = [await cluster.begin(), await cluster.begin()]
  const share = shareOf(two, cluster.workers)
  await settled(SHARDS - share, share)
  expect(await drain(two)).toBe('done')
  await settled(SHARDS, 0)
  const { db } = cluster.database
  const [move] = await lastMoves(db, 5)
  expect(move).toMatchObject({ worker: one.member.id, former: two.member.id, why: 'released', shards: share })
  const { workers, unowned } = await readCluster(db)
  expect(unowned).toEqual([])
  expect(workers.find(({ id }) => id === two.member.id)).toMatchObject({ draining: true, alive: true, shards: 0 })
  // Younger than a lease lasts: renewed each second.
  expect(workers.every(({ leaseAgeMs }) => leaseAgeMs >= 0 && leaseAgeMs < LEASE_S * 1_000)).toBe(true)
  expect(await drain(two, false)).toBe('done')
  await settled(SHARDS - share, share)
})

test('nobody is drained whom nobody could stand in for, also not two in one moment', async () => {
  const one = await cluster.begin()
  expect(await drain(one)).toBe('needed')
  const two = await cluster.begin()
  const outcomes = await Promise.all([drain(one), drain(two)])
  expect(outcomes.toSorted()).toEqual(['done', 'needed'])
  // Asked again it is the same; its way back is always open.
  const drained = outcomes[0] === 'done' ? one : two
  expect([await drain(drained), await drain(drained, false)]).toEqual(['done', 'done'])
})

test('neither by one that cannot read what it has, nor by one that is dead', async () => {
  const one = await cluster.begin({ facts: 7 })
  await insertWorker('older', 6, 1)
  await insertWorker('silent', 7, -1)
  expect(await drain(one)).toBe('needed')
  await insertWorker('newer', 7, 1)
  expect(await drain(one)).toBe('done')
  expect([await setDrain('silent', true), await setDrain('nobody', true)]).toEqual(['gone', 'gone'])
})

test('found dead while it drains, it begins again as another worker and takes nothing', async () => {
  const [, two] = [await cluster.begin(), await cluster.begin()]
  await vi.waitFor(() => expect(two.count).toBeGreaterThan(80), SOON)
  await drain(two)
  await settled(SHARDS, 0)
  const before = two.member.id
  const { db } = cluster.database
  await db
    .updateTable('worker')
    .set({ buried: true })
    .where('id', '=', before ?? '')
    .execute()
  await vi.waitFor(() => expect([null, before]).not.toContain(two.member.id), SOON)
  // Two rounds of everybody, in which it would take its share.
  await cluster.time.pass(2_500)
  expect(cluster.counts).toEqual([SHARDS, 0])
  await drain(two, false)
  await vi.waitFor(() => expect(two.count).toBeGreaterThan(80), SOON)
})

test('what goes over in several transactions is one move; what comes later is another', async () => {
  const move = (seconds: number, former: string | null, shards: number) => ({
    at: at(seconds),
    worker: 'b',
    former,
    why: former === null ? ('free' as const) : ('released' as const),
    shards,
  })
  const rows = [move(0, 'a', 1), move(300, 'a', 16), move(301, 'c', 2), move(302, 'a', 16), move(303, null, 5)]
  const { db } = cluster.database
  await db.insertInto('shard_move').values(rows).execute()
  const moves = (await lastMoves(db, 10)).map(({ at: last, former, shards }) => [last, former, shards])
  expect(moves).toEqual([
    [at(303).getTime(), null, 5],
    [at(302).getTime(), 'a', 32],
    [at(301).getTime(), 'c', 2],
    [at(0).getTime(), 'a', 1],
  ])
  expect(await lastMoves(db, 2)).toHaveLength(2)
})
