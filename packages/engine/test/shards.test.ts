import { OutcomeUnknown } from '@digger/contract'
import { claimShards, OwnedShards, shardOf } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { FencedError, verifyAccount } from '@digger/storage'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type BrokerFixture, CODE, CREDENTIALS, EngineFixture, newUserId, turn } from './engine-fixture.ts'

let database: TestDatabase
let one: EngineFixture
let two: EngineFixture
let ofTwo: OwnedShards

beforeEach(async () => {
  // Shards that a test gives away are gone for the next, whose user may be of one of them.
  database = await testDatabase()
  one = await EngineFixture.open(database)
  ofTwo = new OwnedShards()
  two = await EngineFixture.beside(database, ofTwo)
})
afterEach(async () => {
  await Promise.all([one.close(), two.close()])
  await database[Symbol.asyncDispose]()
})

const halt = { kind: 'setStop', level: 'user', code: null, stop: 'halt' } as const

/** The other process takes the shard of the user, whatever the first one thinks. */
async function taken(inheritedMs = 0): Promise<number> {
  const shard = shardOf(one.userId)
  const epochs = await database.db.transaction().execute((claim) => claimShards(claim, [shard], 'two'))
  ofTwo.take(shard, { epoch: epochs.get(shard) ?? 0, inheritedMs })
  return shard
}
/** Its key is open there, and it is armed. */
async function opened(fixture: EngineFixture): Promise<BrokerFixture> {
  await fixture.engine.unlock(one.userId, CREDENTIALS)
  await fixture.idle()
  await fixture.second()
  const broker = fixture.brokers.at(-1)
  if (broker === undefined) throw new Error('no broker was made')
  return broker
}
/** The first price after a stock is watched is no reason to buy. */
async function steady({ socket }: BrokerFixture, fixture: EngineFixture): Promise<void> {
  socket.tick(CODE, 71_000)
  await fixture.second()
}
/** The first process' user is armed and watches a stock. */
async function trading(): Promise<BrokerFixture> {
  const broker = await one.unlock()
  await one.watch()
  await steady(broker, one)
  return broker
}
const fall = ({ socket }: BrokerFixture): void => socket.tick(CODE, 69_000)
/** A buy is at the broker; its reply comes when the test lets it. */
async function orderOut(broker: BrokerFixture): Promise<PromiseWithResolvers<void>> {
  const receipt = Promise.withResolvers<void>()
  broker.receipt = receipt.promise
  fall(broker)
  while (broker.sent.length === 0) await turn()
  return receipt
}

test('an account is loaded where its shard is, and nowhere else', async () => {
  expect([one.engine.has(one.userId), two.engine.has(one.userId)]).toEqual([true, false])
  await expect(two.engine.open(one.userId)).rejects.toThrow(FencedError)
  const shard = await taken()
  await two.engine.own([shard])
  expect(two.engine.has(one.userId)).toBe(true)
  expect(two.engine.book(one.userId)).toEqual(one.engine.book(one.userId))
})

test('whose account was taken ends it at its next commit: the key is closed, and its person is told', async () => {
  const broker = await one.unlock()
  await taken()
  await expect(one.engine.ask(one.userId, halt)).rejects.toThrow(OutcomeUnknown)
  await one.idle()
  expect([one.engine.has(one.userId), one.fenced, broker.closed]).toEqual([false, [one.userId], 1])
  expect((await verifyAccount(database.db, one.userId)).differences).toEqual([])
})

test('taken while it would buy: the order is not written, does not leave, and the new owner buys once', async () => {
  const broker = await trading()
  const shard = await taken()
  fall(broker)
  await one.idle()
  expect([broker.sent, one.engine.has(one.userId)]).toEqual([[], false])
  await two.engine.own([shard])
  const next = await opened(two)
  await steady(next, two)
  fall(next)
  await two.idle()
  expect(next.sent).toHaveLength(1)
})

test('lost: nothing is written or leaves from that turn on', async () => {
  const broker = await trading()
  const lost = one.engine.lose([shardOf(one.userId)])
  fall(broker)
  await lost
  await one.idle()
  expect([one.engine.has(one.userId), broker.sent, broker.closed]).toEqual([false, [], 1])
  await expect(one.engine.open(one.userId)).rejects.toThrow(FencedError)
})

test('let go: what is on the wire comes back first, and the next owner knows its number', async () => {
  const broker = await trading()
  const receipt = await orderOut(broker)
  const shard = shardOf(one.userId)
  const gone = one.engine.letGo([shard])
  setTimeout(receipt.resolve, 50)
  await gone
  expect(one.engine.has(one.userId)).toBe(false)
  await taken(0)
  await two.engine.own([shard])
  const [order] = [...two.engine.book(one.userId).orders.values()]
  expect(order).toMatchObject({ status: 'open', odno: '0000000001' })
})

test('let go, lost meanwhile and owned again: it stays owned when what was on the wire has come back', async () => {
  await one.watch()
  const shard = await taken()
  await two.engine.own([shard])
  const broker = await opened(two)
  await steady(broker, two)
  const receipt = await orderOut(broker)
  const gone = two.engine.letGo([shard])
  const lost = two.engine.lose([shard])
  await taken()
  await two.engine.own([shard])
  receipt.resolve()
  await Promise.all([gone, lost])
  expect([ofTwo.has(shard), two.engine.has(one.userId)]).toEqual([true, true])
})

test('let go, and asked for again while another’s order is on the wire: an account that has ended does not begin again', async () => {
  const idle = newUserId()
  await one.addUser(idle)
  await one.engine.open(idle)
  const broker = await trading()
  const receipt = await orderOut(broker)
  const gone = one.engine.letGo([shardOf(one.userId), shardOf(idle)])
  while (one.engine.has(idle)) await new Promise((resolve) => setImmediate(resolve))
  expect(one.engine.has(one.userId)).toBe(true)
  await expect(one.engine.open(idle)).rejects.toThrow(FencedError)
  receipt.resolve()
  await gone
  expect([one.engine.has(idle), one.engine.has(one.userId)]).toEqual([false, false])
})

test('let go: it is gone in the turn in which it loses its broker, so that nobody finds it without one', async () => {
  const broker = await trading()
  const receipt = await orderOut(broker)
  const shard = shardOf(one.userId)
  const closed = Promise.withResolvers<void>()
  broker.rest.close = () => closed.promise
  const gone = one.engine.letGo([shard])
  expect([one.engine.isLeaving(one.userId), one.engine.unlocked(one.userId)]).toEqual([true, true])
  expect([one.engine.health.armed.armed, one.engine.health.armedUsers()]).toEqual([1, []])
  receipt.resolve()
  while (one.engine.unlocked(one.userId)) await turn()
  expect(one.engine.has(one.userId)).toBe(false)
  closed.resolve()
  await gone
  expect(one.engine.isLeaving(one.userId)).toBe(false)
})

test('let go while a list is read that does not come: only orders are waited for', async () => {
  const broker = await trading()
  broker.list = new Promise(() => undefined)
  const receipt = await orderOut(broker)
  receipt.resolve()
  const { listsAsked } = broker
  while (broker.listsAsked === listsAsked) {
    one.clock.advance(1_000)
    one.engine.activity.tick()
    await turn()
  }
  const began = performance.now()
  await one.engine.letGo([shardOf(one.userId)])
  expect([one.engine.has(one.userId), performance.now() - began < 5_000]).toEqual([false, true])
})

test('let go while its socket has yet to come: it is not given back the permission to trade', async () => {
  const broker = await trading()
  const receipt = await orderOut(broker)
  await one.engine.lock(one.userId)
  const link = Promise.withResolvers<void>()
  one.prepare().socket.connecting = link.promise
  await one.engine.unlock(one.userId, CREDENTIALS)
  const gone = one.engine.letGo([shardOf(one.userId)])
  link.resolve()
  for (let n = 0; n < 5; n += 1) await new Promise((resolve) => setImmediate(resolve))
  one.engine.activity.tick()
  expect(one.engine.health.vitals()).toMatchObject({ opened: 1, authorised: 0 })
  receipt.resolve()
  await gone
  expect(one.engine.has(one.userId)).toBe(false)
})
