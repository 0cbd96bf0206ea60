import { kstInstant, type Stop } from '@digger/core'
import { claimShards, KERNEL_LEASE, OwnedShards, shardOf, SHARDS } from '@digger/database'
import { type TestDatabase, TestClock, testDatabase } from '@digger/database/testing'
import { array, assert, asyncProperty, boolean, constantFrom, nat, record } from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadBook, loadBooks } from './books.ts'
import { Committer, FencedError, isNotWritten } from './committer.ts'
import { AccountReader } from './load.ts'
import { changesOf, type Position } from './rows-of.ts'
import { verifyAccount } from './verify.ts'

const NOW = kstInstant('20260105', '100000')
let database: TestDatabase
let users = 0

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})

async function newUser(): Promise<string> {
  users += 1
  const id = `fenceduser${String(users)
    .padStart(4, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
  const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from(id), created_at: NOW }
  await database.db
    .insertInto('users')
    .values({ id, email: `${id}@example.com`, ...row, digger_admin: false, bank_balance: 0 })
    .execute()
  return id
}

/** A process that takes the shards of these users, and writes what it thinks it owns. */
class Owner {
  readonly owned = new OwnedShards()
  readonly reader = new AccountReader({ ...database, owned: this.owned }, new TestClock(NOW))
  readonly committer = new Committer(database.pool, KERNEL_LEASE)

  async take(...userIds: readonly string[]): Promise<void> {
    const shards = [...new Set(userIds.map(shardOf))]
    const epochs = await database.db.transaction().execute((claim) => claimShards(claim, shards, 'somebody'))
    for (const [shard, epoch] of epochs) this.owned.take(shard, { epoch, inheritedMs: 0 })
  }

  /** Fails, or not, as the commit does. */
  async stop(userId: string, stop: Stop, position: Position): Promise<Position> {
    const loaded = await loadBook(database.db, userId)
    if (loaded === null) throw new Error('no such account')
    const fact = { kind: 'userStopped', at: NOW, stop } as const
    await this.committer.commit(changesOf(userId, position, [fact], { ...loaded.book, stop }))
    return { ...position, seq: position.seq + 1 }
  }
}

test('program and tables spread users over the same shards, each of them used', async () => {
  const ids = Array.from({ length: 5_000 }, (_, n) => `user${n}`)
  const { rows } = await sql<{ shard: number }>`
    select shard_of(id) as shard from unnest(${ids}::text[]) with ordinality as given (id, place) order by place`.execute(
    database.db,
  )
  expect(rows.map(({ shard }) => shard)).toEqual(ids.map(shardOf))
  expect(new Set(ids.map(shardOf)).size).toBe(SHARDS)
})

test('the owner before is refused for good, and the one now writes', async () => {
  const userId = await newUser()
  const [before, now] = [new Owner(), new Owner()]
  await before.take(userId)
  const old = await before.stop(userId, 'reduce', await before.reader.load(userId))
  await now.take(userId)
  await expect(before.stop(userId, 'active', old)).rejects.toThrow(FencedError)
  const mine = await now.stop(userId, 'halt', await now.reader.load(userId))
  await expect(before.stop(userId, 'active', { ...old, seq: mine.seq })).rejects.toThrow(FencedError)
  await expect(before.reader.load(userId)).rejects.toThrow(FencedError)
  await expect(before.reader.reload(userId, 1)).rejects.toThrow(FencedError)
  expect((await loadBook(database.db, userId))?.book.stop).toBe('halt')
  expect((await verifyAccount(database.db, userId)).differences).toEqual([])
})

test('what was fenced is not written; a commit that only missed a row of its own is not fenced', async () => {
  const userId = await newUser()
  const owner = new Owner()
  await owner.take(userId)
  const loaded = await owner.reader.load(userId)
  await owner.stop(userId, 'reduce', loaded)
  const missed: unknown = await owner.stop(userId, 'halt', loaded).catch((error: unknown) => error)
  expect([missed instanceof FencedError, isNotWritten(missed), isNotWritten(new FencedError())]).toEqual([
    false,
    true,
    true,
  ])
})

test('of a batch only the accounts that were taken are refused', async () => {
  const ids = [await newUser(), await newUser(), await newUser(), await newUser()]
  const [before, now] = [new Owner(), new Owner()]
  await before.take(...ids)
  const loaded = await Promise.all(ids.map((id) => before.reader.load(id)))
  const taken = ids.slice(0, 1)
  await now.take(...taken)
  const shards = new Set(taken.map(shardOf))
  const results = await Promise.allSettled(
    ids.map((id, n) => before.stop(id, 'halt', loaded[n] ?? { seq: 0, epoch: 0 })),
  )
  expect(results.map(({ status }) => status === 'rejected')).toEqual(ids.map((id) => shards.has(shardOf(id))))
})

test('an account of which nobody here owns the shard is neither made nor read', async () => {
  const userId = await newUser()
  await expect(new Owner().reader.load(userId)).rejects.toThrow(FencedError)
  expect(await loadBook(database.db, userId)).toBeNull()
})

test('an account that was made in the moment in which its shard was taken is its owner’s', async () => {
  const userId = await newUser()
  const [before, now] = [new Owner(), new Owner()]
  await before.take(userId)
  const late = await before.reader.load(userId)
  await now.take(userId)
  await database.db.updateTable('account').set({ epoch: late.epoch }).where('user_id', '=', userId).execute()
  await now.stop(userId, 'halt', await now.reader.load(userId))
  await expect(before.stop(userId, 'active', { ...late, seq: 2 })).rejects.toThrow(FencedError)
})

test('many accounts are read as each of them would be, and new ones are made', async () => {
  const ids = await Promise.all(Array.from({ length: 12 }, newUser))
  const owner = new Owner()
  await owner.take(...ids)
  const made = ids.slice(0, 9)
  for (const id of made) await owner.stop(id, 'reduce', await owner.reader.load(id))
  const books = await loadBooks(database.db, ids)
  expect([...books.keys()].sort()).toEqual([...made].sort())
  for (const id of made) expect(books.get(id)).toEqual(await loadBook(database.db, id))
  const all = new Map<string, Stop>()
  const failed: string[] = []
  for await (const [id, { book }] of owner.reader.loadAll(ids, (id) => failed.push(id))) all.set(id, book.stop)
  expect(failed).toEqual([])
  expect(all).toEqual(new Map(ids.map((id) => [id, made.includes(id) ? 'reduce' : 'active'])))
})

test('whoever takes and writes in whatever order: each account has one history, with all that was acknowledged', async () => {
  const ids = [await newUser(), await newUser()]
  const acknowledged = new Map(ids.map((id) => [id, 0]))
  const step = record({ owner: nat(2), userId: constantFrom(...ids), takes: boolean() })
  await assert(
    asyncProperty(array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const owners = [new Owner(), new Owner(), new Owner()]
      const known = new Map<string, Position>()
      const run = async ({ owner: n, userId, takes }: { owner: number; userId: string; takes: boolean }) => {
        const owner = owners[n] ?? new Owner()
        if (takes) await owner.take(userId)
        const position = takes ? await owner.reader.load(userId).catch(() => undefined) : known.get(`${n} ${userId}`)
        if (position === undefined) return
        const next = await owner.stop(userId, 'halt', position).catch(() => null)
        if (next === null) return
        known.set(`${n} ${userId}`, next)
        acknowledged.set(userId, (acknowledged.get(userId) ?? 0) + 1)
      }
      await Promise.all(steps.map(run))
      const accounts = await Promise.all(ids.map((id) => verifyAccount(database.db, id)))
      // Each begins with the opening of its first day, once it is taken.
      const expected = accounts.map(({ facts, userId }) => [facts === 0 ? 0 : 1 + (acknowledged.get(userId) ?? 0)])
      expect(accounts.map(({ facts }) => [facts])).toEqual(expected)
      expect(accounts.flatMap(({ facts, differences }) => (facts === 0 ? [] : differences))).toEqual([])
    }),
    { numRuns: 15 },
  )
})

test('an account that cannot be read keeps none of the others from it', async () => {
  const ids = await Promise.all(Array.from({ length: 3 }, newUser))
  const owner = new Owner()
  await owner.take(...ids)
  for (const id of ids) await owner.reader.load(id)
  const [broken = '', ...others] = ids
  await database.db
    .updateTable('account')
    .set({ next_order_id: sql`9007199254740993` })
    .where('user_id', '=', broken)
    .execute()
  const read: string[] = []
  const failed: [string, unknown][] = []
  for await (const [id] of owner.reader.loadAll(ids, (id, error) => failed.push([id, error]))) read.push(id)
  expect([read, failed]).toEqual([others, [[broken, expect.any(Error)]]])
})

test('a new account that is asked for several times at once is made once, and all get it', async () => {
  const userId = await newUser()
  const owner = new Owner()
  await owner.take(userId)
  const loaded = await Promise.all([1, 2, 3].map(() => owner.reader.load(userId)))
  const rows = await database.db.selectFrom('journal').select('seq').where('user_id', '=', userId).execute()
  expect([loaded.map(({ seq }) => seq), rows]).toEqual([[1, 1, 1], [{ seq: 1 }]])
  expect(new Set(loaded.map(({ book }) => book.day))).toEqual(new Set(['20260105']))
})
