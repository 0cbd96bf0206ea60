import { createJob, itemsOf, jobOf } from '@digger/jobs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { DiggerGateway } from '../src/gateway.ts'
import { ClusterFixture, PASSWORD } from './several-workers-fixture.ts'

// Jobs where a gateway is asked and several workers have the accounts.
const PEOPLE = 6
const SOON = { timeout: 40_000, interval: 100 }
const BASE = '/api/admin/8017'

let cluster: ClusterFixture
let gateway: DiggerGateway

/** Asked by the administrator. */
const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
  cluster.call(0, method, `${BASE}${path}`, payload)
const begin = async (kind: string): Promise<number> =>
  (await ask('POST', '/job', { kind })).json<{ jobId: number }>().jobId

describe('jobs over several workers', () => {
  beforeAll(async () => {
    cluster = await ClusterFixture.open(PEOPLE)
    for (let n = 0; n < 2; n += 1) await cluster.addWorker()
    gateway = await cluster.addGateway()
    await cluster.settled()
  }, 240_000)
  afterAll(() => cluster.close(), 120_000)

  test('a bulk call at a gateway is answered with a line for each user, from whoever has the account', async () => {
    const { results } = (await ask('POST', '/balance/check')).json<{ results: { ok: boolean; message: string }[] }>()
    expect(results.map(({ ok, message }) => [ok, message])).toEqual(
      Array.from({ length: PEOPLE }, () => [true, '장부와 증권사가 같습니다.']),
    )
  }, 60_000)

  test('a preview at a gateway knows who has a key, or says that it does not', async () => {
    const preview = async () => (await ask('GET', '/job-preview/sell')).json()
    expect(await preview()).toMatchObject({ users: PEOPLE, withKey: PEOPLE, withoutKey: [] })
    const { userId, email } = cluster.people[3] ?? { userId: '', email: '' }
    await ask('DELETE', `/user/${userId}/userKey`)
    expect(await preview()).toMatchObject({ withKey: PEOPLE - 1, withoutKey: [{ userId, email }] })
    // Those of a worker that does not answer are not counted as closed.
    cluster.wire.loses = (subject) => subject.startsWith('digger.states.')
    expect(await preview()).toMatchObject({ users: PEOPLE, withKey: null, withoutKey: [] })
    cluster.wire.loses = () => false
    await gateway.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: PASSWORD } })
    await vi.waitFor(() => expect(cluster.armed).toBe(PEOPLE), SOON)
    expect(await preview()).toMatchObject({ withKey: PEOPLE })
  }, 60_000)

  test('a gateway begins, shows and cancels', async () => {
    const jobId = await begin('cancel')
    await vi.waitFor(async () => {
      expect((await ask('GET', `/job/${jobId}`)).json()).toMatchObject({ counts: { done: PEOPLE } })
    }, SOON)
    const { rows } = await sql<{ worker: string; runner: string }>`
      select distinct s.worker, i.runner from job_item i join shard s on s.id = i.shard
      where i.job_id = ${jobId}`.execute(gateway.database.db)
    expect(new Set(rows.map(({ runner }) => runner)).size).toBe(rows.length)
    expect(new Set(rows.map(({ worker }) => worker)).size).toBe(rows.length)
    // Nobody has these shards' items in hand yet: the gateway writes, and the workers see it.
    const next = await begin('check')
    await ask('POST', `/job/${next}/cancel`)
    await vi.waitFor(async () => {
      const { finishedAt, counts } = (await jobOf(gateway.database.db, next)) ?? {}
      expect([typeof finishedAt, counts?.failed]).toEqual(['number', 0])
    }, SOON)
  }, 120_000)

  test('the day is closed once for each user, by the owner', async () => {
    const { db } = gateway.database
    const at = Date.now()
    const job = { kind: 'dayClose', lane: 'daily', key: '20261125', byUser: null, byEmail: '서버', at } as const
    const made = await Promise.all([1, 2].map(() => createJob(db, { ...job, beginBy: at + 60_000, users: 'all' })))
    const [jobId = 0, ...others] = made.flatMap((id) => id ?? [])
    expect(others).toEqual([])
    await vi.waitFor(async () => expect((await jobOf(db, jobId))?.finishedAt).toEqual(expect.any(Number)), SOON)
    const items = await itemsOf(db, jobId)
    expect(items.map(({ state, result }) => [state, result])).toEqual(
      Array.from({ length: PEOPLE }, () => ['done', '자산을 적고 체결 0건을 가져왔습니다.']),
    )
    const attempts = await db.selectFrom('job_item').select('attempts').where('job_id', '=', jobId).execute()
    expect(attempts.every(({ attempts: count }) => count === 1)).toBe(true)
  }, 60_000)

  test('a worker that ends in the middle leaves nobody without a result', async () => {
    const jobId = await begin('login')
    await cluster.workers.shift()?.close()
    await vi.waitFor(async () => {
      expect((await ask('GET', `/job/${jobId}`)).json()).toMatchObject({ finishedAt: expect.any(String) })
    }, SOON)
    expect((await jobOf(gateway.database.db, jobId))?.counts).toMatchObject({ done: PEOPLE })
  }, 120_000)
})
