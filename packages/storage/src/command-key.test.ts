import { kstInstant, type Stop } from '@digger/core'
import { claimShards, KERNEL_LEASE, shardOf } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { loadBook, type Loaded } from './books.ts'
import { Committer, FencedError } from './committer.ts'
import { loadOrCreate } from './load.ts'
import { type Changes, changesOf } from './rows-of.ts'

const NOW = kstInstant('20260105', '100000')
let database: TestDatabase
let users = 0
let userId: string
let loaded: Loaded

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  userId = `keyuser${'abcdefgh'[users++]}aaaaaa`
  const row = { password_hash: 'x', account_masked: '****1234', account_mark: Buffer.from(userId), created_at: NOW }
  await database.db
    .insertInto('users')
    .values({ id: userId, email: `${userId}@example.com`, ...row, digger_admin: false, bank_balance: 0 })
    .execute()
  loaded = await loadOrCreate(database, userId, NOW)
})

const row = (key: string, answer: string | null, at = NOW) => ({ user_id: userId, key, call: 'hash', at, answer })

async function write(stop: Stop, keys: Partial<Pick<Changes, 'commandKeys' | 'expiredKeys'>>): Promise<void> {
  const fact = { kind: 'userStopped', at: NOW, stop } as const
  const changes = changesOf(userId, loaded, [fact], { ...loaded.book, stop })
  await new Committer(database.pool, KERNEL_LEASE).commit({ ...changes, ...keys })
  loaded = { ...loaded, seq: loaded.seq + 1 }
}
const keys = async () => (await loadBook(database.db, userId))?.keys

test('keys are there with the account, oldest first, with what was last answered, also in words that jsonb refuses', async () => {
  await write('halt', { commandKeys: [row('b', null, NOW + 5), row('a', '{"text":"\\u0000"}')] })
  await write('active', { commandKeys: [row('b', '{"ok":true}', NOW + 9)] })
  expect(await keys()).toEqual([row('a', '{"text":"\\u0000"}'), row('b', '{"ok":true}', NOW + 5)])
})

test('those of before some moment go with another commit of the account, and nobody else’s', async () => {
  await write('halt', { commandKeys: [row('old', null, NOW - 1), row('new', null)] })
  const [other, position] = [userId, loaded]
  await write('active', { expiredKeys: [{ user_id: 'somebodyelse', before: NOW + 1 }] })
  expect([other, position.seq, (await keys())?.length]).toEqual([userId, 2, 2])
  await write('reduce', { expiredKeys: [{ user_id: userId, before: NOW }] })
  expect((await keys())?.map(({ key }) => key)).toEqual(['new'])
})

test('a commit that is refused leaves no key', async () => {
  await database.db.transaction().execute((claim) => claimShards(claim, [shardOf(userId)], 'another'))
  await expect(write('halt', { commandKeys: [row('a', null)] })).rejects.toThrow(FencedError)
  expect(await keys()).toEqual([])
})
