import { SHARDS, wait } from '@digger/database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { cutSession } from './cut-session.ts'
import { TestCluster, type TestWorker } from './test-cluster.ts'

const SOON = { timeout: 20_000, interval: 10 }
/** A fair share of two is half of all, give or take. */
const SHARE = 80
/** Ms for each shard. */
const LOAD_MS = 20

let cluster: TestCluster
beforeEach(async () => {
  cluster = await TestCluster.open()
})
afterEach(() => cluster.end())

test('a worker that comes meanwhile gets its share, and nobody loads what is not his any more', async () => {
  let loaded = 0
  const one: TestWorker = cluster.newWorker({
    holder: {
      own: async (shards) => {
        await wait(one.clock, LOAD_MS * shards.length)
        loaded += shards.length
      },
    },
  })
  const begun = one.member.begin()
  await vi.waitFor(() => expect(one.count).toBeGreaterThan(0), SOON)
  const two = await cluster.begin()
  await begun
  await vi.waitFor(() => expect([two.count > SHARE, one.count + two.count]).toEqual([true, SHARDS]), SOON)
  expect(loaded).toBeLessThan(SHARDS - 40)
})

test('a worker whose line was cut is back while whoever took its shards still loads them', async () => {
  let isStuck = false
  const one = await cluster.begin()
  const two = await cluster.begin({
    holder: { own: () => (isStuck ? new Promise(() => undefined) : Promise.resolve()) },
  })
  await vi.waitFor(() => expect(two.count).toBeGreaterThan(SHARE), SOON)
  await cluster.time.pass(3_500)
  isStuck = true
  await cutSession(cluster.database, one.member.id)
  await vi.waitFor(() => expect(one.events.filter((kind) => kind === 'joined')).toHaveLength(2), SOON)
})
