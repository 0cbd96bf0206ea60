import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { CODE, EngineFixture } from './engine-fixture.ts'

let database: TestDatabase
let fixture: EngineFixture

beforeAll(async () => {
  database = await testDatabase()
})
afterAll(async () => {
  await database[Symbol.asyncDispose]()
})
beforeEach(async () => {
  fixture = await EngineFixture.open(database)
})
afterEach(async () => {
  await fixture.close()
})

test('whoever shows an account hears of orders made elsewhere, once and again when they move', async () => {
  const { engine, userId } = fixture
  const reported: string[] = []
  engine.observe({ strangersChanged: (of) => reported.push(of) })
  const broker = await fixture.unlock()
  await fixture.watch()
  expect([engine.strangers(userId), reported]).toEqual([[], []])
  const byPhone = {
    code: CODE,
    side: 'buy',
    count: 3,
    price: 60_000,
    venue: 'KRX',
    type: 'limit',
    session: 'regular',
  } as const
  broker.sent.push(byPhone)
  // The phone order's own notice; its number is not ours.
  broker.socket.notice('0000000001', 'accepted', 3)
  await fixture.second()
  expect(engine.strangers(userId)).toMatchObject([{ code: CODE, side: 'buy', count: 3, price: 60_000, filledCount: 0 }])
  expect(reported).toEqual([userId])
  for (let i = 0; i < 3; i += 1) await fixture.second()
  expect(reported).toEqual([userId])
  broker.sent.pop()
  broker.socket.notice('0000000001', 'accepted', 3)
  await fixture.second()
  expect([engine.strangers(userId), reported]).toEqual([[], [userId, userId]])
})

test('whoever shows an account hears when an order of a stock became due, and when it has left', async () => {
  const { engine, userId } = fixture
  const broker = await fixture.unlock()
  await fixture.watch()
  await fixture.second()
  // What was answered in the morning is too old to buy by.
  fixture.clock.advance(11_000)
  const reported: (readonly [string, readonly string[], string | undefined])[] = []
  engine.observe({
    duesChanged: (of, codes) => reported.push([of, codes, engine.outlook(userId, CODE).due?.side]),
  })
  for (let n = 0; n < 3; n += 1) {
    broker.socket.tick(CODE, 69_300)
    await fixture.idle()
  }
  expect(broker.sent).toHaveLength(1)
  expect(reported).toEqual([
    [userId, [CODE], 'buy'],
    [userId, [CODE], undefined],
  ])
})
