import { ALL_SHARDS, type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancelJob } from '../src/create.ts'
import type { Ended, Item } from '../src/items.ts'
import { itemsOf, jobOf } from '../src/read.ts'
import { addUsers, done, makeJob, runnerOf, type Watched } from './fixture.ts'

// Processes that are gone, stand still, or give accounts away, as several runners on one database.
const USERS = 40
const SOON = { timeout: 20_000 }
const NOT_SURE = /되었는지 모릅니다/
let database: TestDatabase
const running: Watched[] = []
const start = (work: (item: Item) => Promise<Ended>, more: Parameters<typeof runnerOf>[2] = {}): Watched => {
  const started = runnerOf(database.db, work, more)
  running.push(started)
  return started
}
/** Begins four items and never ends them. */
async function standStill(): Promise<{ readonly begun: readonly string[]; readonly wakeUp: (ended: Ended) => void }> {
  const begun: string[] = []
  const held = Promise.withResolvers<Ended>()
  const { runner } = start(async ({ userId: id }) => (begun.push(id), held.promise))
  runner.wake()
  await expect.poll(() => begun.length, SOON).toBe(4)
  return { begun, wakeUp: held.resolve }
}

beforeAll(async () => {
  database = await testDatabase()
  await addUsers(database.db, USERS)
})
beforeEach(async () => {
  await Promise.all(running.splice(0).map(({ runner }) => runner.stop()))
  await database.db.deleteFrom('job').execute()
})
afterAll(async () => {
  await Promise.all(running.map(({ runner }) => runner.stop()))
  await database[Symbol.asyncDispose]()
})

test('what a process that is gone may have done is done again where that is safe', async () => {
  const job = await makeJob(database.db)
  const { begun, wakeUp } = await standStill()
  const attempts = new Map<string, number>()
  const next = start(async (item) => (attempts.set(item.userId, item.attempt), done('다음 서버가 했습니다.')))
  next.runner.wake()
  await next.finished(job)
  expect(attempts.size).toBe(USERS)
  expect([...attempts].filter(([, attempt]) => attempt === 2).map(([id]) => id)).toEqual([...begun])
  // It wakes up, and what it says is too late.
  wakeUp(done('늦었습니다.'))
  await Promise.all(running.map(({ runner }) => runner.stop()))
  expect(new Set((await itemsOf(database.db, job)).map(({ result }) => result))).toEqual(
    new Set(['다음 서버가 했습니다.']),
  )
})

test('else its end says that nobody knows, and it is not done again', async () => {
  const job = await makeJob(database.db, { kind: 'once' })
  const { begun, wakeUp } = await standStill()
  const again: string[] = []
  const next = start(async ({ userId: id }) => (again.push(id), done()))
  next.runner.wake()
  await next.finished(job)
  wakeUp(done('늦었습니다.'))
  const items = await itemsOf(database.db, job)
  const unknown = items.filter(({ state }) => state === 'failed')
  expect(unknown.map(({ userId: id }) => id)).toEqual([...begun])
  expect(unknown.every(({ result }) => NOT_SURE.test(result ?? ''))).toBe(true)
  expect(again.filter((id) => begun.includes(id))).toEqual([])
  expect(items.filter(({ state }) => state === 'done')).toHaveLength(USERS - begun.length)
})

test('nor is it done again when the job was cancelled meanwhile', async () => {
  const job = await makeJob(database.db)
  const { wakeUp } = await standStill()
  await cancelJob(database.db, job, Date.now())
  const again: string[] = []
  const next = start(async ({ userId: id }) => (again.push(id), done()))
  next.runner.wake()
  await next.finished(job)
  wakeUp(done())
  expect(again).toEqual([])
  expect((await jobOf(database.db, job))?.counts).toMatchObject({ failed: 4, cancelled: USERS - 4 })
})

test('an account that goes to another process takes its item along', async () => {
  const { db } = database
  let isHere = true
  const job = await makeJob(db)
  const before = start(async () => (isHere ? done('여기서') : { state: 'leftOff' }), {
    shards: () => (isHere ? ALL_SHARDS : []),
  })
  const held = start(async () => {
    isHere = false
    return { state: 'leftOff' }
  })
  held.runner.wake()
  await expect.poll(async () => (await jobOf(db, job))?.counts.waiting, SOON).toBeGreaterThan(0)
  await held.runner.stop()
  isHere = true
  before.runner.wake()
  await before.finished(job)
  expect((await jobOf(db, job))?.counts).toMatchObject({ done: USERS, failed: 0 })
})

test('left off where it may not be done again, it says that nobody knows', async () => {
  const job = await makeJob(database.db, { kind: 'once' })
  const { runner, finished } = start(async () => ({ state: 'leftOff' }))
  runner.wake()
  await finished(job)
  const items = await itemsOf(database.db, job)
  expect(items.filter(({ state, result }) => state === 'failed' && NOT_SURE.test(result ?? ''))).toHaveLength(USERS)
})

test('several processes at once: nobody twice, nobody left out', async () => {
  const { db } = database
  const jobs = [await makeJob(db, { kind: 'once' }), await makeJob(db, { kind: 'once', lane: 'urgent' })]
  const worked: string[] = []
  const work = async ({ jobId, userId: id }: Item) => (worked.push(`${jobId} ${id}`), done())
  const parts = [0, 1, 2].map((n) => start(work, { shards: () => ALL_SHARDS.filter((shard) => shard % 3 === n) }))
  for (const { runner } of parts) runner.start({ pollMs: 50 })
  for (const job of jobs) await Promise.race(parts.map(({ finished }) => finished(job)))
  expect([worked.length, new Set(worked).size]).toEqual([2 * USERS, 2 * USERS])
  for (const job of jobs) expect((await jobOf(db, job))?.counts.done).toBe(USERS)
})

test('stopped: what runs ends, what waits is there for the next process', async () => {
  const { db } = database
  const job = await makeJob(db)
  const held = Promise.withResolvers<Ended>()
  const begun: string[] = []
  const first = start(async ({ userId: id }) => (begun.push(id), held.promise))
  first.runner.wake()
  await expect.poll(() => begun.length, SOON).toBe(4)
  const stopping = first.runner.stop()
  held.resolve(done())
  await stopping
  expect((await jobOf(db, job))?.counts).toMatchObject({ done: 4, waiting: USERS - 4, running: 0 })
  const next = start(async ({ userId: id }) => (begun.push(id), done()))
  next.runner.wake()
  await next.finished(job)
  expect(begun).toHaveLength(USERS)
})

test('a database that is away for a moment: the ends are written when it is back', async () => {
  const { pool, db } = database
  const job = await makeJob(db)
  let lost = false
  const { runner, finished, problems } = start(async () => {
    const isFirst = !lost
    lost = true
    if (isFirst) await pool.query('alter table job_item rename to job_item_away')
    return done()
  })
  runner.wake()
  await expect.poll(() => problems.length, SOON).toBeGreaterThan(0)
  await pool.query('alter table job_item_away rename to job_item')
  await finished(job)
  expect((await jobOf(db, job))?.counts.done).toBe(USERS)
})
