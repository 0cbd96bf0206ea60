import { type TestDatabase, TestClock, testDatabase } from '@digger/database/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Sessions } from './sessions.ts'
import { insertUser, newUserId } from './users.ts'

const [first, second, third] = [newUserId(), newUserId(), newUserId()]
let database: TestDatabase
let clock: TestClock
let sessions: Sessions

beforeAll(async () => {
  database = await testDatabase()
  for (const id of [first, second, third])
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
}, 60_000)
beforeEach(() => {
  clock = new TestClock()
  sessions = new Sessions(database, clock, 2)
})
afterAll(() => database[Symbol.asyncDispose]())

describe('memory holds few sessions', () => {
  test('the one used longest ago makes room, and is read again when it is asked for', async () => {
    const tokens = { a: await sessions.start(first), b: await sessions.start(second), c: await sessions.start(third) }
    const known = (token: string) => sessions.peek(token)?.userId ?? null
    await sessions.find(tokens.a)
    await sessions.find(tokens.b)
    expect(known(tokens.a)).toBe(first)
    await sessions.find(tokens.c)
    expect([tokens.a, tokens.b, tokens.c].map(known)).toEqual([first, null, third])
    expect((await sessions.find(tokens.b))?.userId).toBe(second)
  })

  test('making room ends no session', async () => {
    const ended: string[] = []
    sessions.onEnd((id) => ended.push(id))
    for (const id of [first, second, third]) await sessions.find(await sessions.start(id))
    expect(ended).toEqual([])
  })
})

test('a session that ended is out of memory at once, however it is asked for', async () => {
  const token = await sessions.start(first)
  await sessions.find(token)
  await sessions.end(token)
  expect([sessions.peek(token), await sessions.find(token)]).toEqual([null, null])
})

test('all sessions of a user end together, and no other’s', async () => {
  const [mine, also, others] = [await sessions.start(first), await sessions.start(first), await sessions.start(third)]
  const roomy = new Sessions(database, clock)
  for (const token of [mine, also, others]) await roomy.find(token)
  roomy.endKnown(first)
  expect([roomy.peek(mine), roomy.peek(also), roomy.peek(others)?.userId]).toEqual([null, null, third])
})
