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

describe('two processes on one database', () => {
  let other: Sessions
  /** What each would tell the other. */
  const pass = () => {
    other = new Sessions(database, clock)
    sessions.onEndedHere((ended) => other.forget(ended))
    other.onEndedHere((ended) => sessions.forget(ended))
  }

  test('what one ends the other forgets at once, with its streams, and tells nobody again', async () => {
    pass()
    const token = await sessions.start(first)
    const [here, there] = [await sessions.find(token), await other.find(token)]
    const ended: string[] = []
    other.onEnd((id) => ended.push(id))
    await sessions.end(token)
    expect([other.peek(token), await other.find(token)]).toEqual([null, null])
    expect([here?.id === there?.id, ended]).toEqual([true, [there?.id]])
  })

  test('a look of the other that began before the ending is not remembered', async () => {
    pass()
    const token = await sessions.start(first)
    const looking = other.find(token)
    await sessions.end(token)
    await looking
    expect(other.peek(token)).toBeNull()
  })

  test('all of a user end at both, after the commit, too', async () => {
    pass()
    const [mine, others] = [await sessions.start(first), await sessions.start(third)]
    for (const token of [mine, others]) await other.find(token)
    await database.db.transaction().execute((trx) => sessions.endAll(first, trx))
    sessions.endKnown(first)
    expect([other.peek(mine), other.peek(others)?.userId]).toEqual([null, third])
  })

  test('without the news the other knows it for 15 seconds, or until it hears that news may be lost', async () => {
    const token = await sessions.start(first)
    other = new Sessions(database, clock)
    await other.find(token)
    await sessions.end(token)
    expect((await other.find(token))?.userId).toBe(first)
    other.forgetAll()
    expect(await other.find(token)).toBeNull()
    const next = await sessions.start(first)
    await other.find(next)
    await sessions.end(next)
    clock.advance(15_000)
    expect(await other.find(next)).toBeNull()
  })
})
