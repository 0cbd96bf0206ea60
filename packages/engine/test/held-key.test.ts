import { type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { EngineFixture } from './engine-fixture.ts'

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

const suspected = () => fixture.engine.book(fixture.userId).otherServer.suspected

test('a key that another connection holds stops the account, once for each time it is held', async () => {
  const broker = await fixture.unlock()
  await fixture.watch()
  expect(suspected()).toBe(null)
  broker.socket.turn('disconnected')
  broker.socket.heldElsewhere = true
  await fixture.second()
  expect(suspected()).toMatchObject({ signs: ['key'], text: expect.stringContaining('앱키') })
  await fixture.engine.ask(fixture.userId, { kind: 'dismissOtherServer' })
  await fixture.second()
  expect(suspected()).toBe(null)
  const { rows } = await fixture.database.pool.query(
    `select fact ->> 'kind' as kind from journal where user_id = $1 and fact ->> 'kind' like 'otherServer%' order by seq`,
    [fixture.userId],
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['otherServerSuspected', 'otherServerDismissed'])
})
