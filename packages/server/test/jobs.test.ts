import { calls } from '@digger/contract'
import { Refused } from '@digger/contract'
import { background } from '@digger/database'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { z } from 'zod'
import { problemIn } from './request.ts'
import { startFixture } from './shared-fixture.ts'
import type { Person, ServerFixture } from './server-fixture.ts'

type JobPage = z.output<typeof calls.job.reply>

const BASE = '/api/admin/8017/job'
const SOON = { timeout: 20_000 }
const USERS = 12
let fixture: ServerFixture
let admin: Person
let users: string[]
/** Holds the work of each account until it is let go. */
let held: PromiseWithResolvers<void> | null = null
let refused: string | null = null

beforeAll(async () => {
  fixture = await startFixture()
  admin = await fixture.addPerson('boss', true)
  users = []
  for (let n = 0; n < USERS; n++) {
    fixture.clock.advance(1)
    users.push(await fixture.addUser(`u${String(n).padStart(3, '0')}`))
  }
  for (const userId of users) fixture.giveStock(userId)
  const ask = fixture.accounts.ask.bind(fixture.accounts)
  fixture.accounts.ask = async (userId, command) => {
    await held?.promise
    if (userId === refused) throw new Refused('REJECTED', '주문이 불가한 계좌입니다.')
    return ask(userId, command)
  }
})
beforeEach(async () => {
  held = refused = null
  fixture.accounts.commands.length = 0
  await fixture.database.db.deleteFrom('job').execute()
})
afterAll(() => fixture[Symbol.asyncDispose]())

const ask = (method: 'GET' | 'POST', path: string, payload?: object) =>
  fixture.call(method, `${BASE}${path}`, { cookie: admin.cookie, ...(payload && { payload }) })

async function begin(kind: string): Promise<number> {
  const reply = await ask('POST', '', { kind })
  expect(reply.statusCode).toBe(200)
  return reply.json<{ jobId: number }>().jobId
}
const pageOf = async (jobId: number, query = ''): Promise<JobPage> =>
  (await ask('GET', `/${jobId}${query}`)).json<JobPage>()
async function overOf(jobId: number): Promise<JobPage> {
  await expect.poll(async () => (await pageOf(jobId)).finishedAt, SOON).not.toBeNull()
  return pageOf(jobId)
}

test('a preview counts the users, those with a key, and what would change; nothing is begun', async () => {
  await fixture.vault.remove(users[2] ?? '')
  const reply = await ask('GET', '-preview/cancel')
  expect(reply.json()).toMatchObject({
    name: '주문 취소',
    users: USERS + 1,
    withKey: USERS,
    withoutKey: [{ userId: users[2] }],
    touched: { unit: '미체결 주문' },
    running: null,
  })
  expect((await ask('GET', '-preview/check')).json()).toMatchObject({ touched: null })
  expect(fixture.accounts.commands).toEqual([])
  expect((await ask('GET', '')).json()).toEqual([])
  await fixture.vault.openByPassword(users[2] ?? '', '열려라참깨1234')
})

test('begun, it goes on by itself; each user has a line, failures first', async () => {
  refused = users[7] ?? ''
  const jobId = await begin('check')
  const job = await overOf(jobId)
  expect(job).toMatchObject({ name: '잔고 비교', by: admin.email, total: USERS + 1, cancelledAt: null })
  expect(job.counts).toEqual({ waiting: 0, running: 0, done: USERS, failed: 1, cancelled: 0 })
  expect(job.items[0]).toEqual({
    userId: users[7],
    email: 'u007@digger.test',
    state: 'failed',
    message: '주문이 불가한 계좌입니다.',
  })
  const page = await pageOf(jobId, '?offset=1&limit=2')
  expect([page.offset, page.items.map(({ userId }) => userId)]).toEqual([1, [admin.userId, users[0]]])
  expect((await pageOf(jobId, '?state=failed')).items).toHaveLength(1)
  expect((await ask('GET', '')).json()).toMatchObject([{ id: jobId, counts: job.counts }])
})

test('cancelled, what waits never begins', async () => {
  held = Promise.withResolvers()
  const jobId = await begin('sell')
  // The administrator, who comes first, has no stock and is done at once.
  await expect.poll(async () => (await pageOf(jobId)).counts, SOON).toMatchObject({ running: 4, done: 1 })
  const reply = await ask('POST', `/${jobId}/cancel`)
  expect(reply.json()).toMatchObject({ cancelledAt: expect.any(String), finishedAt: null })
  held.resolve()
  const job = await overOf(jobId)
  expect(job.counts).toEqual({ waiting: 0, running: 0, done: 5, failed: 0, cancelled: USERS - 4 })
  expect(new Set(fixture.accounts.commands.map(({ userId }) => userId)).size).toBe(4)
  expect((await ask('POST', `/${jobId}/cancel`)).json()).toMatchObject({ id: jobId })
})

test('one of a kind at a time, and a cancel of orders waits for none', async () => {
  held = Promise.withResolvers()
  const jobId = await begin('check')
  await expect.poll(async () => (await pageOf(jobId)).counts.running, SOON).toBe(4)
  expect(problemIn(await ask('POST', '', { kind: 'check' }))).toBe('CONFLICT')
  const cancelling = await begin('cancel')
  await expect.poll(async () => (await pageOf(cancelling)).counts.running, SOON).toBe(4)
  held.resolve()
  await overOf(cancelling)
  await overOf(jobId)
})

test('those who were left out are tried again, and nobody else', async () => {
  refused = users[1] ?? ''
  const first = await begin('sell')
  await overOf(first)
  refused = null
  const reply = await ask('POST', `/${first}/retry`)
  const again = await overOf(reply.json<{ jobId: number }>().jobId)
  expect(again.items).toMatchObject([{ userId: users[1], state: 'done' }])
  expect((await pageOf(first)).counts.failed).toBe(1)
  expect(problemIn(await ask('POST', `/${again.id}/retry`))).toBe('CONFLICT')
  expect(problemIn(await ask('POST', '/999999/retry'))).toBe('NOT_FOUND')
})

test('what a server before has left is done again or said not to be known, as its kind wants', async () => {
  const { db } = fixture.database
  const rows = async (kind: string): Promise<number> => {
    held = Promise.withResolvers()
    const jobId = await begin(kind)
    await expect.poll(async () => (await pageOf(jobId)).counts.running, SOON).toBe(4)
    // As if another process had begun them.
    await db.updateTable('job_item').set({ runner: 'gone' }).where('state', '=', 'running').execute()
    held.resolve()
    held = null
    return jobId
  }
  const checked = await rows('check')
  fixture.services.jobs.changed(checked)
  expect((await overOf(checked)).counts).toMatchObject({ done: USERS + 1, failed: 0 })
  const mended = await rows('fix')
  fixture.services.jobs.changed(mended)
  const job = await overOf(mended)
  expect(job.counts).toMatchObject({ done: USERS - 3, failed: 4 })
  expect(job.items.slice(0, 4).every(({ message }) => message?.includes('되었는지 모릅니다'))).toBe(true)
})

test('a bulk call that takes too long is answered with what is known, and goes on', async () => {
  held = Promise.withResolvers()
  const running = fixture.call('POST', '/api/admin/8017/balance/check', { cookie: admin.cookie })
  await expect.poll(async () => (await ask('GET', '')).json<JobPage[]>()[0]?.counts.running, SOON).toBe(4)
  fixture.clock.advance(50_000)
  const { results, jobId } = (await running).json<{ results: { ok: boolean; message: string }[]; jobId: number }>()
  expect(results.filter(({ ok }) => ok)).toEqual([])
  expect(results.filter(({ message }) => /아직 (하고 있|차례가 오지 않았)습니다/.test(message))).toHaveLength(USERS + 1)
  held.resolve()
  expect((await overOf(jobId)).counts.done).toBe(USERS + 1)
})

test('each account gives way to orders before its part is begun, but where risk is taken away', async () => {
  const own = vi.spyOn(background, 'own')
  await overOf(await begin('cancel'))
  expect(own).toHaveBeenCalledTimes(0)
  await overOf(await begin('check'))
  expect(own).toHaveBeenCalledTimes(USERS + 1)
  own.mockRestore()
})
