import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { ClusterSecret, LocalBus, LocalWire } from '@digger/cluster'
import { findPostgres, type PostgresServer, startPostgres } from '@digger/database/testing'
import { createJob, itemsOf, jobOf } from '@digger/jobs'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createGateway, type DiggerGateway } from '../src/gateway.ts'
import { createLogger } from '../src/log.ts'
import { readConfig } from '../src/config.ts'
import { createServer } from '../src/server.ts'
import { createWorker, type DiggerWorker } from '../src/worker.ts'
import { NO_LIMITS } from '../src/request-limits.ts'

// Jobs where a gateway is asked and several workers have the accounts.
const bin = findPostgres()
const PEOPLE = 6
const PASSWORD = '열려라참깨1234'
const SOON = { timeout: 40_000, interval: 100 }
const BASE = '/api/admin/8017'

let folder = ''
let postgres: PostgresServer
let sim: Sim
let workers: DiggerWorker[] = []
let gateway: DiggerGateway
let cookie = ''
const wire = new LocalWire()
const secret = new ClusterSecret(randomBytes(32))

const parts = () => ({
  config: readConfig({
    DATA_DIR: folder,
    DATABASE_URL: postgres.url,
    MASTER_KEY_FILE: `${folder}/master.key`,
    PORT: '0',
  }),
  log: createLogger('fatal'),
  broker: { env: 'real', restUrl: sim.url, wsUrl: sim.wsUrl } as const,
  hours: 'always' as const,
  requestLimits: NO_LIMITS,
})
const email = (n: number): string => `person${n}@example.com`
const ask = (method: 'GET' | 'POST', path: string, payload?: object) =>
  gateway.app.inject({ method, url: `${BASE}${path}`, headers: { cookie }, ...(payload && { payload }) })
const begin = async (kind: string): Promise<number> =>
  (await ask('POST', '/job', { kind })).json<{ jobId: number }>().jobId
const hasItsShare = ({ database }: DiggerWorker): boolean => database.owned.all().length > 90
const armed = (): number => workers.reduce((sum, { engine }) => sum + engine.health.vitals().armed, 0)

/** People sign up while there is one server. The first is an administrator, whose session holds at the gateway. */
async function signUpAll(accounts: readonly { credentials: object }[]): Promise<void> {
  const server = await createServer(parts())
  const { app, database } = server
  for (const [n, { credentials }] of accounts.entries()) {
    const payload = { email: email(n), password: PASSWORD, ...credentials }
    const made = await app.inject({ method: 'POST', url: '/api/user/user', payload })
    if (made.statusCode !== 200) throw new Error(`the sign-up failed: ${made.payload}`)
  }
  await database.db.updateTable('users').set({ digger_admin: true }).where('email', '=', email(0)).execute()
  for (let n = 0; n < PEOPLE; n += 1) {
    const payload = { email: email(n), password: PASSWORD }
    const entered = await app.inject({ method: 'POST', url: '/api/login', payload })
    const cookies = [entered.headers['set-cookie']].flat().map((line) => String(line).split(';')[0])
    if (n === 0) cookie = cookies.join('; ')
  }
  await server.close()
}

describe.skipIf(bin === null)('jobs over several workers (skipped where no PostgreSQL is installed)', () => {
  beforeAll(async () => {
    folder = mkdtempSync(`${tmpdir()}/digger-cluster-`)
    writeFileSync(`${folder}/master.key`, randomBytes(32).toString('base64'), { mode: 0o600 })
    postgres = await startPostgres(bin ?? '')
    const accounts = Array.from({ length: PEOPLE }, (_, n) => ({ credentials: demoCredentials(n), cash: 100_000_000 }))
    const clock = { mode: 'real', speed: 1 } as const
    sim = await startSim({ port: 0, hours: 'always', clock, walk: 'off', latency: 'none', accounts })
    await signUpAll(accounts)
    workers = [
      await createWorker(parts(), new LocalBus(wire), secret),
      await createWorker(parts(), new LocalBus(wire), secret),
    ]
    gateway = await createGateway(parts(), new LocalBus(wire), secret)
    await vi.waitUntil(() => armed() === PEOPLE && workers.every(hasItsShare), SOON)
  }, 240_000)
  afterAll(async () => {
    await gateway.close()
    for (const worker of workers) await worker.close()
    await sim.close()
    await postgres[Symbol.asyncDispose]()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a bulk call at a gateway is answered with a line for each user, from whoever has the account', async () => {
    const { results } = (await ask('POST', '/balance/check')).json<{ results: { ok: boolean; message: string }[] }>()
    expect(results.map(({ ok, message }) => [ok, message])).toEqual(
      Array.from({ length: PEOPLE }, () => [true, '장부와 증권사가 같습니다.']),
    )
  }, 60_000)

  test('a gateway previews, begins, shows and cancels', async () => {
    expect((await ask('GET', '/job-preview/sell')).json()).toMatchObject({
      users: PEOPLE,
      withKey: null,
      withoutKey: [],
    })
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
    const [first, ...rest] = workers
    workers = rest
    await first?.close()
    await vi.waitFor(async () => {
      expect((await ask('GET', `/job/${jobId}`)).json()).toMatchObject({ finishedAt: expect.any(String) })
    }, SOON)
    expect((await jobOf(gateway.database.db, jobId))?.counts).toMatchObject({ done: PEOPLE })
  }, 120_000)
})
