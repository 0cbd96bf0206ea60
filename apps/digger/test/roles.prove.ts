import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { WorkerSecret } from '@digger/cluster'
import { findNats, type NatsServer, startNats } from '@digger/cluster/testing'
import { ask, findPostgres, freePort, type PostgresServer, startPostgres } from '@digger/database/testing'
import { SETTINGS } from '@digger/engine/testing'
import { demoCredentials, type Sim, startSim } from '@digger/kis-sim'
import { Browser } from '@digger/server/testing'
import { request } from 'undici'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { ServerProcess } from './programs.ts'

const programs = { postgres: findPostgres(), nats: findNats() }
const OWNER = { ...demoCredentials(0), email: 'owner@digger.test', password: '열쇠 파일로 여는 비밀번호 1' }
const CODE = '005930'
const PRICE = 157_000
/** A share is dearer than what the settings of other tests buy for. */
const SETTINGS_HERE = { ...SETTINGS, lastBuyPrice: null, maxBuyPrice: 160_000, buyUnitPrice: 200_000, sellPercent: 50 }
const SOON = { timeout: 60_000, interval: 100 }

const Health = z.object({ ok: z.boolean(), armed: z.number().optional() })

let folder = ''
let postgres: PostgresServer
let nats: NatsServer
let sim: Sim
let healthPort = 0
const processes: ServerProcess[] = []
const owner = new Browser('', OWNER)

const env = () => ({
  DATA_DIR: folder,
  DATABASE_URL: postgres.url,
  MASTER_KEY_FILE: join(folder, 'master.key'),
  CLUSTER_SECRET_FILE: join(folder, 'cluster.secret'),
  NATS_URL: nats.url,
  KIS_REST_URL: sim.url,
  KIS_WS_URL: sim.wsUrl,
})

async function start(role: string, more: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const server = await ServerProcess.start({ ...env(), DIGGER_ROLE: role, ...more })
  processes.push(server)
  return server
}

async function health(path = '/health') {
  const { statusCode, body } = await request(`http://127.0.0.1:${healthPort}${path}`)
  return { status: statusCode, text: await body.text() }
}
const onDatabase = (statement: string): Promise<unknown[]> => ask(postgres.url, statement)

const armed = async (): Promise<number> => Health.parse(JSON.parse((await health()).text)).armed ?? 0
const bought = (): number => sim.orders(OWNER.accountNumber).filter(({ side }) => side === 'buy').length

describe.skipIf(programs.postgres === null || programs.nats === null)(
  'the roles, as processes (skipped without PostgreSQL and NATS)',
  () => {
    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'digger-roles-'))
      for (const name of ['master.key', 'cluster.secret', 'worker.secret'])
        writeFileSync(join(folder, name), randomBytes(32).toString('base64'), { mode: 0o600 })
      postgres = await startPostgres(programs.postgres ?? '')
      nats = await startNats(programs.nats ?? '')
      await nats.crash()
      sim = await startSim({ port: 0, hours: 'always', walk: 'off', limits: 'off', latency: 'none' })
      sim.setPrice(CODE, PRICE)
      const all = await ServerProcess.start(env())
      processes.push(all)
      owner.goTo(all.base)
      await owner.signUp()
      await owner.logIn()
      await onDatabase('update users set may_add_stocks = true')
      const saved = await owner.ask('POST', `/api/user/stock/${CODE}`, SETTINGS_HERE)
      if (saved.status !== 200) throw new Error(`the stock was not saved: ${saved.text}`)
      await all.stop()
      healthPort = await freePort()
    }, 120_000)
    afterAll(async () => {
      for (const one of processes) await one.stop()
      await nats[Symbol.asyncDispose]()
      await sim.close()
      await postgres[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    }, 120_000)

    test('a worker begins and trades without NATS, and shows how it is to this machine only', async () => {
      const WORKER_SECRET_FILE = join(folder, 'worker.secret')
      await start('worker', { HEALTH_PORT: String(healthPort), WORKER_SECRET_FILE })
      await vi.waitFor(async () => expect(await armed()).toBe(1), SOON)
      const before = bought()
      await vi.waitFor(() => {
        sim.setPrice(CODE, PRICE - 3_000)
        expect(bought()).toBeGreaterThan(before)
      }, SOON)
      expect((await health('/metrics')).text).toContain('digger_accounts_armed 1')
      expect([(await health('/api/login')).status, (await health('/')).status]).toEqual([404, 404])
    }, 150_000)

    test('a gateway begins without NATS, too; when it comes, people’s calls reach the worker', async () => {
      const { signer } = WorkerSecret.read(join(folder, 'worker.secret'))
      const gateway = await start('gateway', { WORKER_PUBLIC_KEY: signer.publicKey })
      owner.goTo(gateway.base)
      const away = owner.ask('GET', '/api/user/stock')
      expect((await away).text).toContain('"code":"BUSY"')
      await nats.start()
      await vi.waitFor(async () => expect((await owner.ask('GET', '/api/user/stock')).status).toBe(200), SOON)
    }, 150_000)

    test('a worker that is asked to end lets its shards go, and leaves no row behind', async () => {
      const [, worker] = processes
      expect(await worker?.stop()).toBe(0)
      const rows = await onDatabase(
        'select (select count(*) from worker)::int as workers, (select count(*) from shard where released)::int as released',
      )
      expect(rows).toEqual([{ workers: 0, released: 256 }])
    }, 150_000)
  },
)
