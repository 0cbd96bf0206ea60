import { shardOf } from '@digger/database'
import { ALL_SHARDS, type TestDatabase, testDatabase } from '@digger/database/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { cancelJob } from '../src/create.ts'
import type { Ended, Item } from '../src/items.ts'
import { countsOf, itemsOf, jobOf, type JobView, openJobOf, recentJobs } from '../src/read.ts'
import { addUsers, done, failed, makeJob, runnerOf, userId, type Watched } from './fixture.ts'

const USERS = 30
const SOON = { timeout: 20_000 }
let database: TestDatabase
const runners: Watched[] = []
const start = (work: (item: Item) => Promise<Ended>, more: Parameters<typeof runnerOf>[2] = {}): Watched => {
  const started = runnerOf(database.db, work, more)
  runners.push(started)
  return started
}

async function found(jobId: number): Promise<JobView> {
  const job = await jobOf(database.db, jobId)
  if (job === null) throw new Error(`no job ${jobId}`)
  return job
}

beforeAll(async () => {
  database = await testDatabase()
  await addUsers(database.db, USERS)
})
beforeEach(async () => {
  await Promise.all(runners.splice(0).map(({ runner }) => runner.stop()))
  await database.db.deleteFrom('job').execute()
})
afterAll(async () => {
  await Promise.all(runners.map(({ runner }) => runner.stop()))
  await database[Symbol.asyncDispose]()
})

test('each user has one result, in the order of the list; what fails is that user’s line', async () => {
  const { db } = database
  const { runner, finished, problems, progressed } = start(async ({ userId: id }) =>
    id === userId(3) ? failed('계좌가 없습니다.') : done(`${id} 했습니다.`),
  )
  const job = await makeJob(db)
  runner.wake()
  await finished(job)
  const items = await itemsOf(db, job)
  expect(items.map((item) => item.userId)).toEqual(Array.from({ length: USERS }, (_, n) => userId(n)))
  expect(items.filter(({ state }) => state !== 'done')).toMatchObject([
    { userId: userId(3), email: `${userId(3)}@digger.test`, state: 'failed', result: '계좌가 없습니다.' },
  ])
  expect(await jobOf(db, job)).toMatchObject({
    finishedAt: expect.any(Number),
    counts: { waiting: 0, running: 0, done: USERS - 1, failed: 1, cancelled: 0 },
  })
  expect([problems, new Set(progressed)]).toEqual([[], new Set([job])])
})

test('the failures come first, page by page', async () => {
  const { db } = database
  const { runner, finished } = start(async ({ userId: id }) => (id >= userId(USERS - 2) ? failed() : done()))
  const job = await makeJob(db)
  runner.wake()
  await finished(job)
  const page = async (offset: number) =>
    (await itemsOf(db, job, { failuresFirst: true, offset, limit: 3 })).map((item) => item.userId)
  expect(await page(0)).toEqual([userId(USERS - 2), userId(USERS - 1), userId(0)])
  expect(await page(3)).toEqual([userId(1), userId(2), userId(3)])
  expect(await itemsOf(db, job, { states: ['failed'] })).toHaveLength(2)
})

test('never more at once than the lane has, and an error nobody foresaw is reported and ends that item only', async () => {
  let atOnce = 0
  let most = 0
  const { runner, finished, problems } = start(async ({ userId: id }) => {
    most = Math.max(most, ++atOnce)
    await new Promise((resolve) => setImmediate(resolve))
    atOnce -= 1
    if (id === userId(1)) throw new TypeError('nobody foresaw this')
    return done()
  })
  const job = await makeJob(database.db)
  runner.wake()
  await finished(job)
  expect(most).toBe(4)
  expect(problems).toEqual([new TypeError('nobody foresaw this')])
  const [first] = await itemsOf(database.db, job, { failuresFirst: true })
  expect(first).toMatchObject({ userId: userId(1), state: 'failed', result: expect.stringMatching(/^서버에서 문제가/) })
})

test('cancelled: what waits never begins, what runs ends as it ends', async () => {
  const { db } = database
  const held = Promise.withResolvers<void>()
  const begun: string[] = []
  const { runner, finished } = start(async ({ userId: id }) => {
    begun.push(id)
    await held.promise
    return done()
  })
  const job = await makeJob(db)
  runner.wake()
  await expect.poll(() => begun.length, SOON).toBe(4)
  expect(await cancelJob(db, job, Date.now())).toBe(true)
  expect(countsOf(await found(job))).toEqual({ done: USERS - 4, total: USERS })
  held.resolve()
  await finished(job)
  expect(begun).toHaveLength(4)
  expect((await jobOf(db, job))?.counts).toEqual({ waiting: 0, running: 0, done: 4, failed: 0, cancelled: USERS - 4 })
  expect([await cancelJob(db, job, Date.now()), await cancelJob(db, job + 1, Date.now())]).toEqual([false, false])
})

test('what takes risk away does not wait for what takes long', async () => {
  const { db } = database
  const held = Promise.withResolvers<void>()
  const { runner, finished } = start(async ({ kind }) => {
    if (kind === 'slow') await held.promise
    return done()
  })
  const slow = await makeJob(db, { kind: 'slow' })
  runner.wake()
  await expect.poll(async () => (await jobOf(db, slow))?.counts.running, SOON).toBe(4)
  const urgent = await makeJob(db, { lane: 'urgent' })
  runner.wake()
  await finished(urgent)
  expect(await openJobOf(db, 'slow')).toBe(slow)
  held.resolve()
  await finished(slow)
  expect(await openJobOf(db, 'slow')).toBeNull()
})

test('one job of a key, and only for those it names', async () => {
  const { db } = database
  const job = await makeJob(db, { kind: 'daily', key: '20261125', users: [userId(5), userId(2), 'nobody'] })
  await expect(makeJob(db, { kind: 'daily', key: '20261125' })).rejects.toThrow('this key')
  await makeJob(db, { kind: 'daily', key: '20261126' })
  expect((await itemsOf(db, job)).map((item) => item.userId)).toEqual([userId(2), userId(5)])
  expect(await recentJobs(db, ['daily'], 1)).toMatchObject([{ counts: { waiting: USERS } }])
  expect(await recentJobs(db, ['other'], 9)).toEqual([])
})

test('what did not get its turn in time does not begin, and says so', async () => {
  const { db } = database
  const begun: string[] = []
  const { runner, finished } = start(async ({ userId: id }) => (begun.push(id), done()))
  const job = await makeJob(db, { beginBy: Date.now() - 1, users: [userId(1)] })
  runner.wake()
  await finished(job)
  expect(begun).toEqual([])
  expect(await itemsOf(db, job)).toMatchObject([
    { state: 'failed', result: expect.stringContaining('시작하지 않았습니다') },
  ])
})

test('a job for nobody is over at once', async () => {
  const { runner, finished } = start(async () => done())
  const job = await makeJob(database.db, { users: [] })
  runner.wake()
  await finished(job)
  expect((await jobOf(database.db, job))?.finishedAt).toEqual(expect.any(Number))
})

test('a process works on its own users only, and takes what comes to it later', async () => {
  const { db } = database
  let mine: readonly number[] = ALL_SHARDS.filter((shard) => shard % 2 === 0)
  const users = Array.from({ length: USERS }, (_, n) => userId(n))
  const own = users.filter((id) => mine.includes(shardOf(id)))
  const owners = new Map<string, string>()
  const by = (name: string) => async (item: Item) => (owners.set(item.userId, name), done())
  const one = start(by('one'), { shards: () => mine })
  const two = start(by('two'), { shards: () => [] })
  const job = await makeJob(db)
  for (const { runner } of [one, two]) runner.start({ pollMs: 20 })
  const theirs = USERS - own.length
  await expect
    .poll(async () => (await jobOf(db, job))?.counts, SOON)
    .toMatchObject({ waiting: theirs, running: 0, done: own.length })
  expect(theirs).toBeGreaterThan(0)
  expect([...owners.keys()].toSorted()).toEqual(own)
  mine = ALL_SHARDS
  await Promise.race([one.finished(job), two.finished(job)])
  expect([...owners.values()].filter((name) => name === 'two')).toEqual([])
  expect(owners.size).toBe(USERS)
})
