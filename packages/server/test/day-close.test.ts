import { DAY_MS } from '@digger/core'
import { fakeKis } from '@digger/engine/testing'
import { itemsOf, recentJobs } from '@digger/jobs'
import { DayClose } from '@digger/screens'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

const HOUR_MS = DAY_MS / 24
const SOON = { timeout: 20_000 }

let fixture: ServerFixture
let owner: Person

beforeEach(async () => {
  fixture = await startFixture()
  owner = await fixture.addPerson('owner')
})
afterEach(() => fixture[Symbol.asyncDispose]())

const closed = () => recentJobs(fixture.database.db, ['dayClose'], 9)
const get = async (url: string) => (await fixture.call('GET', url, { cookie: owner.cookie })).json<unknown[]>()

test('the day is closed for everyone with a key: money entry and executed orders', async () => {
  await fixture.services.jobs.closeDay('20261120')
  await expect.poll(closed, SOON).toMatchObject([{ counts: { done: 1, failed: 0 }, finishedAt: expect.any(Number) }])
  expect(await get('/api/user/money')).toHaveLength(1)
  expect(await get('/api/user/kis/ordered')).toHaveLength(1)
})

test('each evening, once for all who say so; a user without a key is named', async () => {
  const { jobs } = fixture.services
  const failures: unknown[] = []
  const begun: string[] = []
  const begin = async (day: string) => {
    begun.push(day)
    if (begun.length === 1) throw new Error('no database')
    await jobs.closeDay(day)
  }
  await fixture.accounts.lock(owner.userId)
  const closes = [1, 2].map(
    () => new DayClose({ clock: fixture.clock, begin, failed: (error) => failures.push(error) }),
  )
  for (const dayClose of closes) dayClose.start()
  // Ten in the morning.
  fixture.clock.advance(10.5 * HOUR_MS - 1)
  expect(begun).toEqual([])
  fixture.clock.advance(1)
  await expect.poll(() => failures, SOON).toEqual([new Error('no database')])
  await expect.poll(closed, SOON).toMatchObject([{ byUser: null, finishedAt: expect.any(Number) }])
  // What could not be begun is tried again, and finds that the other has begun it.
  fixture.clock.advance(60_000)
  expect(begun).toEqual(['20261120', '20261120', '20261120'])
  expect(await closed()).toHaveLength(1)
  for (const dayClose of closes) dayClose.stop()
  const [job] = await closed()
  expect(await itemsOf(fixture.database.db, job?.id ?? 0)).toMatchObject([
    { state: 'done', result: expect.stringContaining('키가 열려 있지 않아') },
  ])
})

test.each([9 * HOUR_MS, -9 * HOUR_MS])(
  'by a clock that was %i ms off when it began, at its hour all the same',
  (off) => {
    const begun: string[] = []
    fixture.clock.advance(off)
    const begin = async (day: string) => void begun.push(day)
    const dayClose = new DayClose({ clock: fixture.clock, begin, failed: () => undefined })
    dayClose.start()
    fixture.clock.advance(-off)
    for (let hours = 0; hours < 10; hours += 1) fixture.clock.advance(HOUR_MS)
    expect(begun).toEqual([])
    fixture.clock.advance(HOUR_MS)
    expect(begun).toEqual(['20261120'])
    dayClose.stop()
  },
)

test('a server that ends meanwhile waits for the accounts at work, and begins no other', async () => {
  const held = Promise.withResolvers<void>()
  const kis = fakeKis()
  let asked = 0
  for (const name of ['another', 'third']) await fixture.addPerson(name)
  fixture.accounts.kisOf = () => fakeKis({ balance: () => (asked++, held.promise.then(() => kis.balance())) })
  // The readings of the log-ins are old by then.
  fixture.clock.advance(10_000)
  await fixture.services.jobs.closeDay('20261120')
  await expect.poll(() => asked, SOON).toBe(2)
  let ended = false
  const ending = fixture.services.jobs.stop().then(() => (ended = true))
  await new Promise((resolve) => setImmediate(resolve))
  expect(ended).toBe(false)
  held.resolve()
  await ending
  expect(asked).toBe(2)
  expect(await closed()).toMatchObject([{ counts: { done: 2, waiting: 1 } }])
})
