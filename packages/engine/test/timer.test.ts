import { background } from '@digger/database'
import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EngineFixture, newUserId } from './engine-fixture.ts'

let database: TestDatabase
let fixture: EngineFixture
beforeEach(async () => {
  database = await testDatabase()
  fixture = await EngineFixture.open(database)
})
afterEach(async () => {
  await fixture.close()
  await database[Symbol.asyncDispose]()
})

test('the timer gives way between two accounts: an order does not wait until all have been looked at', async () => {
  const { engine, clock } = fixture
  const userIds = [fixture.userId, newUserId(), newUserId()]
  for (const userId of userIds.slice(1)) await fixture.addUser(userId)
  for (const userId of userIds) await engine.open(userId)
  const looked: string[] = []
  engine.observe({ ticked: (userId) => looked.push(userId) })
  clock.advance(EngineFixture.TIMER_MS)
  expect(looked).toEqual([])
  await background.own()
  expect(looked.toSorted()).toEqual(userIds.toSorted())
  // Each once, however often the timer rings before all had their turn.
  clock.advance(2 * EngineFixture.TIMER_MS)
  await background.own()
  expect(looked).toHaveLength(2 * userIds.length)
})
