import { createHash } from 'node:crypto'
import { type TestDatabase, TestClock, testDatabase } from '@digger/database/testing'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SessionRows } from './session-rows.ts'
import { Sessions } from './sessions.ts'
import { insertUser, newUserId } from './users.ts'

const [first, second] = [newUserId(), newUserId()]
let database: TestDatabase
let tokens: { a: string; b: string }

beforeAll(async () => {
  database = await testDatabase()
  for (const id of [first, second])
    await insertUser(database.db, {
      id,
      email: `${id}@digger.test`,
      password_hash: '',
      digger_admin: false,
      account_masked: '****0000',
      account_mark: Buffer.from(id),
      bank_balance: 0,
      created_at: 0,
      password_ends_at: null,
    })
  const sessions = new Sessions(database, new TestClock())
  tokens = { a: await sessions.start(first), b: await sessions.start(second) }
}, 60_000)
afterAll(() => database[Symbol.asyncDispose]())

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
const ask = (rows: SessionRows, ...asked: string[]) =>
  Promise.all(asked.map(async (token) => (await rows.find(hashOf(token)))?.user_id ?? null))

test('sessions asked for together are one question, and each gets its own', async () => {
  const query = vi.spyOn(database.pool, 'query')
  const rows = new SessionRows(database.pool)
  expect(await ask(rows, tokens.b, 'unknown', tokens.a, tokens.b)).toEqual([second, null, first, second])
  expect(query).toHaveBeenCalledTimes(1)
  query.mockRestore()
})

test('an answer that is late holds up nobody who asks afterwards', async () => {
  const late = Promise.withResolvers<never>()
  const answers = [late.promise]
  const pool = new Proxy(database.pool, {
    get: (target, name): unknown =>
      name === 'query' && answers.length > 0 ? () => answers.shift() : Reflect.get(target, name, target),
  })
  const rows = new SessionRows(pool)
  const waiting = ask(rows, tokens.a, tokens.b)
  await new Promise(setImmediate)
  expect(await ask(rows, tokens.a)).toEqual([first])
  late.reject(new Error('the database was silent'))
  await expect(waiting).rejects.toThrow('the database was silent')
})

test('what is asked for was read after it was asked for: a session that ended before is not found', async () => {
  const sessions = new Sessions(database, new TestClock())
  const token = await sessions.start(first)
  const rows = new SessionRows(database.pool)
  expect(await ask(rows, token)).toEqual([first])
  await sessions.end(token)
  expect(await ask(rows, token, tokens.a)).toEqual([null, first])
})
