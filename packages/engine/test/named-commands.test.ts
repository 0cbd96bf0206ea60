import { LostAnswer, OutcomeUnknown } from '@digger/contract'
import { claimShards, OwnedShards, shardOf } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { array, assert, asyncProperty, boolean, nat, record } from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { partOf } from '../src/accounts.ts'
import { type BrokerFixture, CODE, CREDENTIALS, EngineFixture, turn } from './engine-fixture.ts'

let database: TestDatabase
let one: EngineFixture
let two: EngineFixture
let ofTwo: OwnedShards

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  one = await EngineFixture.open(database)
  ofTwo = new OwnedShards()
  two = await EngineFixture.beside(database, ofTwo)
})
afterEach(async () => {
  await Promise.all([one.close(), two.close()])
})

const KEY = { key: 'press-0123456789abcdef' }
const buy = { kind: 'marketBuy', code: CODE, amount: 200_000 } as const
const keep = (count: number) => ({ kind: 'keepShares', code: CODE, count }) as const
const bought = (engine: EngineFixture) => engine.engine.ask(one.userId, buy, KEY)
const failure = (asked: Promise<unknown>) => asked.then(() => null).catch((error: unknown) => error)

/** The process of `owned` takes the account, whatever the other one thinks. */
async function take(fixture: EngineFixture, owned: OwnedShards): Promise<void> {
  const shard = shardOf(one.userId)
  const epochs = await database.db.transaction().execute((claim) => claimShards(claim, [shard], 'somebody'))
  await fixture.engine.lose([shard])
  owned.take(shard, { epoch: epochs.get(shard) ?? 0, inheritedMs: 0 })
  await fixture.engine.own([shard])
}
async function armed(): Promise<BrokerFixture> {
  const broker = await one.unlock()
  await one.watch()
  broker.socket.tick(CODE, 71_000)
  await one.second()
  return broker
}
async function armedAtTwo(): Promise<BrokerFixture> {
  await two.engine.unlock(one.userId, CREDENTIALS)
  await two.idle()
  await two.second()
  const broker = two.brokers.at(-1)
  broker?.socket.tick(CODE, 71_000)
  await two.second()
  if (broker === undefined) throw new Error('no broker was made')
  return broker
}
const rowsOfKey = async (): Promise<number> =>
  (await database.db.selectFrom('command_key').select('key').where('user_id', '=', one.userId).execute()).length

test('a buy by hand that comes twice under one key is one order, at once and later', async () => {
  const broker = await armed()
  await Promise.all([bought(one), bought(one)])
  await bought(one)
  expect([broker.sent.length, one.engine.hasDone(one.userId, KEY.key), await rowsOfKey()]).toEqual([1, true, 1])
})

test('without a key, and under another one, it is another buy', async () => {
  await armed()
  const asks = [keep(1), keep(2), keep(1)].map((command) => one.engine.ask(one.userId, command))
  await Promise.all([...asks, one.engine.ask(one.userId, keep(4), partOf(KEY, 'a'))])
  await one.engine.ask(one.userId, keep(5), partOf(KEY, 'b'))
  expect([one.engine.book(one.userId).stocks.get(CODE)?.kept, await rowsOfKey()]).toEqual([5, 2])
})

test('a key stands for one thing: another one under it is refused, while it is under way and later', async () => {
  const broker = await armed()
  const receipt = Promise.withResolvers<void>()
  broker.receipt = receipt.promise
  const first = bought(one)
  await turn()
  expect(await failure(one.engine.ask(one.userId, { ...buy, amount: 300_000 }, KEY))).toMatchObject({
    code: 'CONFLICT',
  })
  receipt.resolve()
  await first
  expect(await failure(one.engine.ask(one.userId, keep(1), KEY))).toMatchObject({ code: 'CONFLICT' })
  await one.engine.ask(one.userId, { ...buy, amount: 200_000 }, KEY)
  expect(broker.sent).toHaveLength(1)
})

test('what was refused and wrote nothing is decided anew', async () => {
  await armed()
  expect(await failure(one.engine.ask(one.userId, { ...buy, amount: 1 }, KEY))).toMatchObject({ code: 'INVALID' })
  expect([one.engine.hasDone(one.userId, KEY.key), await rowsOfKey()]).toEqual([false, 0])
  await bought(one)
})

test('taken between commit and reply: the new owner knows the buy and buys no second time', async () => {
  const broker = await armed()
  const receipt = Promise.withResolvers<void>()
  broker.receipt = receipt.promise
  void failure(bought(one))
  while (broker.sent.length === 0) await turn()
  await take(two, ofTwo)
  // Its key is not open there yet: what is done needs none.
  expect(await failure(bought(two))).toBeInstanceOf(OutcomeUnknown)
  const next = await armedAtTwo()
  expect(await failure(bought(two))).toBeInstanceOf(OutcomeUnknown)
  receipt.resolve()
  expect([next.sent, two.engine.book(one.userId).orders.size]).toEqual([[], 1])
})

test('taken before its commit: it is not done there, and once where the account is now', async () => {
  const broker = await armed()
  await take(two, ofTwo)
  expect(await failure(bought(one))).toBeInstanceOf(LostAnswer)
  const next = await armedAtTwo()
  await bought(two)
  await bought(two)
  expect([broker.sent.length, next.sent.length]).toEqual([0, 1])
})

test('a process that died and started again knows what it has done, and whom it has answered what', async () => {
  const broker = await armed()
  await bought(one)
  // As a start does, with nothing said to the one before.
  await take(two, ofTwo)
  const next = await armedAtTwo()
  await bought(two)
  expect([broker.sent.length, next.sent.length]).toEqual([1, 0])
})

test('keys are forgotten after some days, with the first facts of a day', async () => {
  await armed()
  await one.engine.ask(one.userId, keep(1), KEY)
  for (let day = 0; day < 5; day += 1) {
    one.clock.advance(86_400_000)
    await one.second()
  }
  expect([one.engine.hasDone(one.userId, KEY.key), await rowsOfKey()]).toEqual([false, 0])
})

test('whatever is lost and whoever takes the account: each press is done at most once, and once when it is answered', async () => {
  await one.watch()
  const engines = [one, two] as const
  const owned = [database.owned, ofTwo] as const
  let presses = 0
  const answered = new Set<number>()
  const step = record({ takes: boolean(), asks: array(record({ at: nat(1), isLost: boolean() }), { maxLength: 3 }) })
  await assert(
    asyncProperty(array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
      let owner = 0
      await take(one, database.owned)
      for (const { takes, asks } of steps) {
        presses += 1
        const count = presses
        const key = { key: `press-${count}` }
        const running = asks.map(({ at }) => failure((engines[at] ?? one).engine.ask(one.userId, keep(count), key)))
        if (takes) {
          owner = 1 - owner
          await take(engines[owner] ?? one, owned[owner] ?? ofTwo)
        }
        const failures = await Promise.all(running)
        if (failures.some((error, n) => error === null && asks[n]?.isLost === false)) answered.add(count)
        if ((await failure((engines[owner] ?? one).engine.ask(one.userId, keep(count), key))) === null)
          answered.add(count)
      }
    }),
    { numRuns: 6 },
  )
  const rows = await database.db.selectFrom('journal').select('fact').where('user_id', '=', one.userId).execute()
  const done = rows.flatMap(({ fact }) => (fact.kind === 'sharesKept' ? [fact.count] : []))
  expect(done).toHaveLength(new Set(done).size)
  expect([...answered].filter((count) => !done.includes(count))).toEqual([])
  expect(answered.size).toBeGreaterThan(10)
})
