import { type Database, openDatabase, OwnedShards, SHARDS } from '@digger/database'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Member, readCluster, setDraining } from '../src/index.ts'
import { lastMoves } from '../src/moves.ts'
import { LEASE_S } from '../src/worker-rows.ts'
import { shareOf } from './share.ts'
import { memberWithoutAccounts } from './without-accounts.ts'

const bin = findPostgres()
const SOON = { timeout: 15_000, interval: 20 }
/** Sixteen shards go over each second: half of all in some eight. */
const SPREAD = { timeout: 40_000, interval: 20 }

let server: PostgresServer
let url = ''
let database: Database
let members: Member[] = []

/** A worker of this process, whose accounts are none. */
async function beginMember(facts?: number): Promise<Member> {
  const owned = new OwnedShards()
  const member = memberWithoutAccounts({ url, db: database.db, owned, ...(facts === undefined ? {} : { facts }) })
  members.push(member)
  await member.begin()
  return member
}

const settled = (...expected: readonly number[]): Promise<void> =>
  vi.waitFor(() => expect(members.map(({ shards }) => shards)).toEqual(expected), SOON)
const drain = (member: Member, draining = true) => setDraining(database.db, member.id ?? '', draining)
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000)
const insertWorker = (id: string, facts: number, until: Date) =>
  database.db
    .insertInto('worker')
    .values({ id, facts, lock: 900, until, version: '', host: '', pid: 1, pid_namespace: '', boot_id: '', started: '' })
    .execute()

describe.skipIf(bin === null)('draining a worker (skipped where no PostgreSQL is installed)', () => {
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

  test('it lets all go and stays; taken back it has the same share again; moves say so', async () => {
    const one = await beginMember()
    const two = await beginMember()
    const share = shareOf(two, members)
    const isSpread = () => expect([one.shards, two.shards]).toEqual([SHARDS - share, share])
    await vi.waitFor(isSpread, SPREAD)
    expect(await drain(two)).toBe('done')
    await settled(SHARDS, 0)
    const [move] = await lastMoves(database.db, 5)
    expect(move).toMatchObject({ worker: one.id, former: two.id, why: 'released', shards: share })
    const { workers, unowned } = await readCluster(database.db)
    expect(unowned).toEqual([])
    expect(workers.find(({ id }) => id === two.id)).toMatchObject({ draining: true, alive: true, shards: 0 })
    // Younger than a lease lasts: renewed each second, late where the machine is.
    expect(workers.every(({ leaseAgeMs }) => leaseAgeMs >= 0 && leaseAgeMs < LEASE_S * 1_000)).toBe(true)
    expect(await drain(two, false)).toBe('done')
    await vi.waitFor(isSpread, SPREAD)
  }, 120_000)

  test('nobody is drained whom nobody could stand in for, also not two in one moment', async () => {
    const one = await beginMember()
    expect(await drain(one)).toBe('needed')
    const two = await beginMember()
    const outcomes = await Promise.all([drain(one), drain(two)])
    expect(outcomes.toSorted()).toEqual(['done', 'needed'])
    // Asked again it is the same; its way back is always open.
    const drained = outcomes[0] === 'done' ? one : two
    expect([await drain(drained), await drain(drained, false)]).toEqual(['done', 'done'])
  }, 60_000)

  test('neither by one that cannot read what it has, nor by one that is dead', async () => {
    const one = await beginMember(7)
    await insertWorker('older', 6, new Date(Date.now() + 60_000))
    await insertWorker('silent', 7, new Date(Date.now() - 60_000))
    expect(await drain(one)).toBe('needed')
    await insertWorker('newer', 7, new Date(Date.now() + 60_000))
    expect(await drain(one)).toBe('done')
    expect([await setDraining(database.db, 'silent', true), await setDraining(database.db, 'nobody', true)]).toEqual([
      'gone',
      'gone',
    ])
  }, 60_000)

  test('found dead while it drains, it begins again as another worker and takes nothing', async () => {
    const one = await beginMember()
    const two = await beginMember()
    await vi.waitFor(() => expect(two.shards).toBeGreaterThan(80), SOON)
    await drain(two)
    await settled(SHARDS, 0)
    const before = two.id
    await database.db
      .updateTable('worker')
      .set({ buried: true })
      .where('id', '=', before ?? '')
      .execute()
    await vi.waitFor(() => expect(two.id === null || two.id === before).toBe(false), SOON)
    // Two rounds of everybody, in which it would take its share.
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect([one.shards, two.shards]).toEqual([SHARDS, 0])
    await drain(two, false)
    await vi.waitFor(() => expect(two.shards).toBeGreaterThan(80), SOON)
  }, 60_000)

  test('what goes over in several transactions is one move; what comes later is another', async () => {
    const move = (seconds: number, former: string | null, shards: number) => ({
      at: at(seconds),
      worker: 'b',
      former,
      why: former === null ? ('free' as const) : ('released' as const),
      shards,
    })
    const rows = [move(0, 'a', 1), move(300, 'a', 16), move(301, 'c', 2), move(302, 'a', 16), move(303, null, 5)]
    await database.db.insertInto('shard_move').values(rows).execute()
    const moves = (await lastMoves(database.db, 10)).map(({ at: last, former, shards }) => [last, former, shards])
    expect(moves).toEqual([
      [at(303).getTime(), null, 5],
      [at(302).getTime(), 'a', 32],
      [at(301).getTime(), 'c', 2],
      [at(0).getTime(), 'a', 1],
    ])
    expect(await lastMoves(database.db, 2)).toHaveLength(2)
  })
})
