import { kstInstant, type Stop } from '@digger/core'
import { type Lease } from '@digger/database'
import { type TestDatabase, TestClock, testDatabase } from '@digger/database/testing'
import type { QueryConfig } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { Committer, isNotWritten, NoLeaseError } from './committer.ts'
import { loadBook, type Loaded } from './books.ts'
import { AccountReader } from './load.ts'
import { changesOf, type Changes } from './rows-of.ts'
import { readServerStop, writeServerStop } from './server-stop.ts'

const NOW = kstInstant('20260105', '100000')
const clock = new TestClock(NOW)

/** The lease of these tests: held until the test says otherwise. */
class TestLease implements Lease {
  is = true
  held(): boolean {
    return this.is
  }
}

let database: TestDatabase
let lease: TestLease
let committer: Committer
let reader: AccountReader

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})
beforeEach(() => {
  lease = new TestLease()
  committer = new Committer(database.pool, lease)
  reader = new AccountReader({ ...database, lease }, clock)
})

let users = 0
async function newAccount(): Promise<{ readonly userId: string; readonly loaded: Loaded }> {
  users += 1
  const userId = `commituser${String(users)
    .padStart(4, '0')
    .replace(/\d/g, (digit) => 'abcdefghij'[Number(digit)] ?? '')}`
  const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from(userId), created_at: NOW }
  await database.db
    .insertInto('users')
    .values({ id: userId, email: `${userId}@example.com`, ...row, digger_admin: false, bank_balance: 0 })
    .execute()
  return { userId, loaded: await reader.load(userId) }
}

const stopping = (userId: string, { book, ...position }: Loaded, stop: Stop): Changes =>
  changesOf(userId, position, [{ kind: 'userStopped', at: NOW, stop }], { ...book, stop })
const stopOf = async (userId: string): Promise<Stop | undefined> => (await loadBook(database.db, userId))?.book.stop

/** In how many transactions these accounts' second rows of the journal were written. */
async function transactionsOf(userIds: readonly string[]): Promise<number> {
  const text = 'select count(distinct xmin::text)::int as count from journal where seq = 2 and user_id = any($1)'
  return (await database.pool.query<{ count: number }>(text, [userIds])).rows[0]?.count ?? 0
}

test('what is committed in one turn is one transaction, and what comes meanwhile the next one', async () => {
  const accounts = await Promise.all(Array.from({ length: 6 }, newAccount))
  const [first, ...rest] = accounts.map(({ userId, loaded }) => stopping(userId, loaded, 'reduce'))
  if (first === undefined) throw new Error('six accounts')
  const early = [committer.commit(first), ...rest.slice(0, 2).map((one) => committer.commit(one))]
  await Promise.resolve()
  await Promise.resolve()
  const late = rest.slice(2).map((one) => committer.commit(one))
  expect(committer.waiting).toBe(late.length)
  await Promise.all([...early, ...late])
  expect(committer.waiting).toBe(0)
  expect(await transactionsOf(accounts.map(({ userId }) => userId))).toBe(2)
  for (const { userId } of accounts) expect(await stopOf(userId)).toBe('reduce')
})

test('of a batch with refused ones each fails alone, and the next commits go on', async () => {
  const accounts = await Promise.all(Array.from({ length: 5 }, newAccount))
  const results = await Promise.allSettled(
    accounts.map(({ userId, loaded }, n) =>
      // Every other one missed a row of its journal.
      committer.commit(stopping(userId, { ...loaded, seq: loaded.seq - (n % 2) }, 'halt')),
    ),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected', 'fulfilled'])
  const stops = await Promise.all(accounts.map(({ userId }) => stopOf(userId)))
  expect(stops).toEqual(['halt', 'active', 'halt', 'active', 'halt'])
  const [, second] = accounts
  if (second === undefined) throw new Error('five accounts')
  await committer.commit(stopping(second.userId, second.loaded, 'halt'))
  expect(await stopOf(second.userId)).toBe('halt')
})

test('without the lease nothing is committed, and with it again everything', async () => {
  const { userId, loaded } = await newAccount()
  lease.is = false
  await expect(committer.commit(stopping(userId, loaded, 'halt'))).rejects.toThrow(NoLeaseError)
  expect([await stopOf(userId), committer.waiting]).toEqual(['active', 0])
  lease.is = true
  await committer.commit(stopping(userId, loaded, 'halt'))
  expect(await stopOf(userId)).toBe('halt')
})

test('a commit that waited behind another while the lease was lost is not written', async () => {
  const [first, second] = [await newAccount(), await newAccount()]
  const written = committer.commit(stopping(first.userId, first.loaded, 'halt'))
  await Promise.resolve()
  await Promise.resolve()
  const waited = committer.commit(stopping(second.userId, second.loaded, 'halt'))
  lease.is = false
  await expect(waited).rejects.toThrow(NoLeaseError)
  await written
  expect([await stopOf(first.userId), await stopOf(second.userId)]).toEqual(['halt', 'active'])
})

test('one by one after a refused batch, too, nothing is written once the lease is lost', async () => {
  const [bad, good] = [await newAccount(), await newAccount()]
  const refused = committer.commit(stopping(bad.userId, { ...bad.loaded, seq: 0 }, 'halt'))
  const waited = committer.commit(stopping(good.userId, good.loaded, 'halt'))
  refused.catch(() => undefined)
  await Promise.resolve()
  await Promise.resolve()
  lease.is = false
  await expect(waited).rejects.toThrow(NoLeaseError)
  await expect(refused).rejects.toThrow(NoLeaseError)
  expect(await stopOf(good.userId)).toBe('active')
})

test('an account is read again only by whoever still owns it', async () => {
  const { userId, loaded } = await newAccount()
  await committer.commit(stopping(userId, loaded, 'reduce'))
  const missed = [{ kind: 'userStopped', at: NOW, stop: 'reduce' }]
  const book = { stop: 'reduce' }
  expect(await reader.reload(userId, loaded.seq)).toMatchObject({ book, seq: loaded.seq + 1, missed })
  expect(await reader.reload(userId, loaded.seq + 1)).toMatchObject({ book, seq: loaded.seq + 1, missed: [] })
  lease.is = false
  await expect(reader.reload(userId, loaded.seq)).rejects.toThrow(NoLeaseError)
})

test('a new account begins with its first day in the journal, and is read as it was made', async () => {
  const { userId, loaded } = await newAccount()
  expect(loaded).toMatchObject({ seq: 1, book: { day: '20260105', stop: 'active' } })
  expect(await reader.load(userId)).toEqual(loaded)
  const journal = database.db.selectFrom('journal').select(['seq', 'fact']).where('user_id', '=', userId)
  expect(await journal.execute()).toEqual([{ seq: 1, fact: { kind: 'dayOpened', day: '20260105', at: NOW } }])
})

test('the stop of the server is what was written last; a text of somebody else’s sets nothing free', async () => {
  expect(await readServerStop(database.db)).toEqual({ stop: 'active', why: null, version: 0 })
  let last = 0
  for (const stop of ['halt', 'reduce', 'active'] as const) {
    const version = (await writeServerStop(database.db, stop, { strictest: 'halt' })) ?? 0
    expect(version).toBeGreaterThan(last)
    expect(await readServerStop(database.db)).toEqual({ stop, why: null, version })
    last = version
  }
  for (const value of ['', 'ACTIVE', 'on', 'null']) {
    await database.db.updateTable('server_setting').set({ value }).where('name', '=', 'serverStop').execute()
    const stored = await readServerStop(database.db)
    expect(stored).toMatchObject({ stop: 'halt', why: null })
    // It grows whoever writes.
    expect(stored.version).toBeGreaterThan(last)
    last = stored.version
    // Nor does a person who knew of no halt.
    expect(await writeServerStop(database.db, 'active', { strictest: 'reduce' })).toBeNull()
  }
})

test('a looser stop of the server is for the one that was seen, however late it comes; a stricter one is always taken', async () => {
  const { db } = database
  const set = async (stop: Stop, seen: number) => (await writeServerStop(db, stop, { seen })) ?? 0
  const reduced = await set('reduce', 0)
  // Asked for over `reduce`, and held back: somebody stops more meanwhile, or the same again.
  const halted = await set('halt', reduced)
  expect([await set('active', reduced), await set('reduce', reduced)]).toEqual([0, 0])
  const again = await set('halt', reduced)
  expect([again > halted, await set('active', halted)]).toEqual([true, 0])
  expect(await readServerStop(db)).toEqual({ stop: 'halt', why: null, version: again })
  const free = await set('active', again)
  expect([free > again, (await set('reduce', reduced)) > free]).toEqual([true, true])
})

test.each([
  ['a full disk', Object.assign(new Error(), { code: '53100' }), true],
  ['a database that only reads', Object.assign(new Error(), { code: '25006' }), true],
  ['a row that exists', Object.assign(new Error(), { code: '23505' }), true],
  ['no lease', new NoLeaseError(), true],
  ['a session ended by an operator', Object.assign(new Error(), { code: '57P01' }), false],
  ['a connection that failed', Object.assign(new Error(), { code: '08006' }), false],
  ['a socket that cannot be written to', Object.assign(new Error(), { code: 'EPIPE' }), false],
  ['a cut line', new Error('Connection terminated unexpectedly'), false],
])('after %s it is known, or not, that nothing was written', (_name, error, expected) =>
  expect(isNotWritten(error)).toBe(expected),
)

test('a batch that was written and whose answer is lost fails as one: tried again it would look refused', async () => {
  const accounts = await Promise.all([newAccount(), newAccount()])
  const { pool } = database
  let tries = 0
  const cut = new Committer(
    new Proxy(pool, {
      get: (_target, name) =>
        name === 'query'
          ? async (write: QueryConfig) => {
              tries += 1
              await pool.query(write)
              throw new Error('Connection terminated unexpectedly')
            }
          : Reflect.get(pool, name),
    }),
    lease,
  )
  const results = await Promise.allSettled(
    accounts.map(({ userId, loaded }) => cut.commit(stopping(userId, loaded, 'halt'))),
  )
  expect(results.map((result) => result.status === 'rejected' && isNotWritten(result.reason))).toEqual([false, false])
  expect(tries).toBe(1)
})
