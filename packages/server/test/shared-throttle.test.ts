import { type TestDatabase, TestClock, testDatabase } from '@digger/database/testing'
import { LoginThrottle } from '@digger/identity'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const MINUTE_MS = 60_000
let database: TestDatabase
let clock: TestClock
/** Of three processes on one database. */
let throttles: LoginThrottle[]

beforeAll(async () => {
  database = await testDatabase()
}, 120_000)
afterAll(() => database[Symbol.asyncDispose]())
beforeEach(async () => {
  await database.db.deleteFrom('login_budget').execute()
  clock = new TestClock()
  throttles = [1, 2, 3].map(() => new LoginThrottle(database.db, clock))
})

/** So many tries at each process, all at once. Returns those that may look at the password. */
const tries = async (count: number, address: (n: number) => string) => {
  const asked = throttles.flatMap((throttle, at) =>
    Array.from({ length: count }, (_, n) => throttle.asStranger('a@example.com', address(at * count + n))),
  )
  return (await Promise.all(asked)).filter(({ waitMs }) => waitMs === 0)
}

test.each([
  ['one address', () => '203.0.113.7'],
  ['as many addresses as tries', (n: number) => `198.51.100.${n + 1}`],
])('three processes let no more guesses through than one: from %s', async (_name, address) => {
  expect(await tries(20, address)).toHaveLength(5)
  expect(await tries(5, address)).toEqual([])
})

test('what one process gives back another may use, after its own memory of the refusal at the latest', async () => {
  const [first] = await tries(10, () => '203.0.113.7')
  await first?.giveBack()
  clock.advance(5_000)
  expect(await tries(10, () => '203.0.113.7')).toHaveLength(1)
})

test('memory refuses earlier and never lets more through: a process that knows nothing is refused by the tables', async () => {
  await tries(10, () => '203.0.113.7')
  const fresh = new LoginThrottle(database.db, clock)
  expect(fresh.waitOfStranger('a@example.com', '203.0.113.7')).toBe(0)
  expect((await fresh.asStranger('a@example.com', '203.0.113.7')).waitMs).toBeGreaterThan(0)
  clock.advance(15 * MINUTE_MS)
  expect(await tries(10, () => '203.0.113.7')).not.toEqual([])
})
