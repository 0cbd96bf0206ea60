import { claimShards, OwnedShards, shardOf } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { verifyAccount } from '@digger/storage'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
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

const all = { kind: 'cancelOrders', code: null } as const
const kinds = async (): Promise<string[]> => {
  const { db } = database
  const rows = await db.selectFrom('journal').select('fact').where('user_id', '=', one.userId).orderBy('seq').execute()
  return rows.map(({ fact }) => fact.kind)
}

/** The broker has a buy whose reply is still under way; nobody but the broker knows its number. */
async function buying(): Promise<{ broker: BrokerFixture; reply: PromiseWithResolvers<void> }> {
  const broker = await one.unlock()
  await one.watch()
  broker.socket.tick(CODE, 71_000)
  await one.second()
  const reply = Promise.withResolvers<void>()
  broker.receipt = reply.promise
  broker.socket.tick(CODE, 69_000)
  while (broker.sent.length === 0) await turn()
  return { broker, reply }
}

/** Another process has the account from now on, with the same orders at the broker. */
async function takenOver({ sent }: BrokerFixture, inheritedMs: number): Promise<BrokerFixture> {
  const shard = shardOf(one.userId)
  const epochs = await database.db.transaction().execute((claim) => claimShards(claim, [shard], 'two'))
  ofTwo.take(shard, { epoch: epochs.get(shard) ?? 0, inheritedMs })
  await two.engine.own([shard])
  const broker = two.prepare()
  broker.sent.push(...sent)
  await two.engine.unlock(one.userId, CREDENTIALS)
  await two.idle()
  return broker
}

test('a cancel of an order without a number is written when it is answered, and the process after a kill does it', async () => {
  const { broker } = await buying()
  await one.engine.ask(one.userId, all)
  expect([(await kinds()).at(-1), broker.cancels]).toEqual(['cancelWanted', []])
  await one.engine.lose([shardOf(one.userId)])
  const next = await takenOver(broker, 40_000)
  for (let seconds = 0; seconds < 60 && next.cancels.length === 0; seconds += 1) await two.second()
  expect([next.cancels, two.engine.book(one.userId).orders.get(1)?.status]).toEqual([['0000000001'], 'cancelling'])
  expect((await verifyAccount(database.db, one.userId)).differences).toEqual([])
})

test('let go in order: the number comes back, and whoever has the account next cancels', async () => {
  const { broker, reply } = await buying()
  await one.engine.ask(one.userId, all)
  const gone = one.engine.letGo([shardOf(one.userId)])
  reply.resolve()
  await gone
  expect(broker.cancels).toEqual([])
  const next = await takenOver(broker, 0)
  expect(next.cancels).toEqual(['0000000001'])
})

test('a cancel that is not saved is not answered as done', async () => {
  const { reply } = await buying()
  one.lease = false
  await expect(one.engine.ask(one.userId, all)).rejects.toThrow('저장')
  expect(await kinds()).not.toContain('cancelWanted')
  one.lease = true
  reply.resolve()
})
