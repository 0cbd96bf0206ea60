import { type Database, FACTS_VERSION, openDatabase, OwnedShards } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
const SOON = { timeout: 15_000, interval: 50 }

describe.skipIf(bin === null)('rows of dead workers (skipped where no PostgreSQL is installed)', () => {
  let server: PostgresServer
  let url = ''
  let database: Database
  beforeAll(async () => {
    server = await startPostgres(bin ?? '')
    url = await server.newDatabase()
    database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
  }, 120_000)
  afterAll(async () => {
    await database.close()
    await server[Symbol.asyncDispose]()
  })

  /** One whose lease ended so long ago. */
  const addDead = (id: string, hours: number, buried: boolean) =>
    database.pool.query(
      `insert into worker (id, version, lock, host, pid, pid_namespace, boot_id, started, until, buried)
       values ($1, '0', 0, 'gone', 0, '', '', '', now() - $2 * interval '1 h', $3)`,
      [id, hours, buried],
    )
  const rows = async () => (await database.db.selectFrom('worker').select('id').execute()).map(({ id }) => id)

  test('go after a day, when others have their shards; what is needed for a shard of theirs stays', async () => {
    await addDead('found dead', 25, true)
    await addDead('never looked at', 25, false)
    await addDead('of yesterday evening', 23, true)
    await addDead('had shards', 25, true)
    await addDead('has one that nobody can read', 25, true)
    await database.db.updateTable('shard').set({ worker: 'had shards' }).where('id', '<', 10).execute()
    const unread = { worker: 'has one that nobody can read', facts: FACTS_VERSION + 1 }
    await database.db.updateTable('shard').set(unread).where('id', '=', 200).execute()
    const owned = new OwnedShards()
    const member = memberWithoutAccounts({ url, db: database.db, owned })
    await member.begin()
    const left = ['of yesterday evening', 'has one that nobody can read', member.id]
    await vi.waitFor(async () => expect(new Set(await rows())).toEqual(new Set(left)), SOON)
    expect([owned.all().length, owned.has(3), owned.has(200)]).toEqual([255, true, false])
    await member.end({ withinMs: 5_000 })
  }, 30_000)

  test('one that stood still for more than a day finds itself dead, and begins again', async () => {
    const events: string[] = []
    const owned = new OwnedShards()
    const member = memberWithoutAccounts({
      url,
      db: database.db,
      owned,
      report: ({ kind }) => events.push(kind),
    })
    await member.begin()
    const former = member.id
    await database.db.deleteFrom('worker').where('id', '=', former).execute()
    await vi.waitFor(() => expect([events.includes('dead'), owned.all().length]).toEqual([true, 255]), SOON)
    expect(await rows()).not.toContain(former)
    await member.end({ withinMs: 5_000 })
  }, 30_000)
})
