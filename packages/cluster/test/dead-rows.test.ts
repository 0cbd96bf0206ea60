import { FACTS_VERSION } from '@digger/database'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { TestCluster } from './test-cluster.ts'

const SOON = { timeout: 20_000, interval: 10 }

let cluster: TestCluster
beforeEach(async () => {
  cluster = await TestCluster.open()
})
afterEach(() => cluster.end())

/** One whose lease ended so long ago. */
const addDead = (id: string, hours: number, buried: boolean) =>
  cluster.database.pool.query(
    `insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, until, buried)
     values ($1, '0', 0, 'gone', 0, '', '', '', now() - $2 * interval '1 h', $3)`,
    [id, hours, buried],
  )
const rows = async () => (await cluster.database.db.selectFrom('worker').select('id').execute()).map(({ id }) => id)

test('go after a day, when others have their shards; what is needed for a shard of theirs stays', async () => {
  await addDead('found dead', 25, true)
  await addDead('never looked at', 25, false)
  await addDead('of yesterday evening', 23, true)
  await addDead('had shards', 25, true)
  await addDead('has one that nobody can read', 25, true)
  const { db } = cluster.database
  await db.updateTable('shard').set({ worker: 'had shards' }).where('id', '<', 10).execute()
  const unread = { worker: 'has one that nobody can read', facts: FACTS_VERSION + 1 }
  await db.updateTable('shard').set(unread).where('id', '=', 200).execute()
  const { member, owned } = await cluster.begin()
  const left = ['of yesterday evening', 'has one that nobody can read', member.id]
  await vi.waitFor(async () => expect(new Set(await rows())).toEqual(new Set(left)), SOON)
  expect([owned.all().length, owned.has(3), owned.has(200)]).toEqual([255, true, false])
})

test('one that stood still for more than a day finds itself dead, and begins again', async () => {
  const { member, owned, events } = await cluster.begin()
  const former = member.id
  await cluster.database.db.deleteFrom('worker').where('id', '=', former).execute()
  await vi.waitFor(() => expect([events.includes('dead'), owned.all().length]).toEqual([true, 256]), SOON)
  expect(await rows()).not.toContain(former)
})
