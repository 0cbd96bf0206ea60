import { afterEach, beforeEach, expect, test } from 'vitest'
import { TakenOverError } from '../src/errors.ts'
import { type Holder, takeOver } from '../src/holder.ts'
import { type Database, openDatabase } from '../src/open.ts'
import { TestClock } from './clock.ts'
import { newDatabase } from './new-database.ts'

let clock: TestClock
let database: Database
let holder: Holder
beforeEach(async () => {
  clock = new TestClock()
  database = await openDatabase({ databaseUrl: await newDatabase(), dataDir: '', exclusive: false })
  holder = await takeOver(database.db, 'postgres', clock)
})
afterEach(async () => {
  holder.stop()
  await database.close()
})

test('whoever trades writes every three seconds that it is there, and knows for how long it could not', async () => {
  clock.advance(2_999)
  expect(holder.silentMs()).toBe(2_999)
  clock.advance(1)
  await expect.poll(() => holder.silentMs()).toBe(0)
  // Its row is locked: a write neither succeeds nor fails.
  const other = await database.pool.connect()
  await other.query('begin')
  await other.query('select from engine_holder for update')
  for (let second = 0; second < 9; second += 1) clock.advance(1_000)
  expect(holder.silentMs()).toBe(9_000)
  await other.query('commit')
  other.release()
  // Counted from when it was asked for.
  await expect.poll(() => holder.silentMs()).toBe(6_000)
  clock.advance(3_000)
  await expect.poll(() => holder.silentMs()).toBe(0)
})

test('another process that has written itself in ends this one', async () => {
  await database.pool.query(`update engine_holder set started = 'later', pid = 1`)
  clock.advance(3_000)
  expect(await holder.replaced).toBeInstanceOf(TakenOverError)
})
