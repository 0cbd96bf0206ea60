import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalBus, LocalWire, readWorkerSecrets, type WorkerSecrets } from '@digger/cluster'
import { demoCredentials, startSim, type Sim } from '@digger/kis-sim'
import { readConfig } from '@digger/config'
import type { DiggerGateway } from '../src/gateway.ts'
import { createLogger } from '../src/log.ts'
import { NO_LIMITS } from '@digger/http'
import { createServer, type DiggerServer } from '../src/server.ts'
import { writeAllSecrets } from './cluster-secrets.ts'
import type { DiggerWorker } from '../src/worker.ts'
import { cheapPasswords, cookieOf } from './server-fixture.ts'
import { settledShards } from './settled-shards.ts'
import { TimedProcesses, UNLIMITED } from './timed-processes.ts'

export const PASSWORD = '열려라참깨1234'

/** Between two orders of one account, ms: a queue that lasts. */
export const ORDER_EVERY_MS = 400

export interface Member {
  readonly userId: string
  readonly email: string
  /** Of a log-in at the one server of before: its session is in the tables, and holds at every gateway. */
  readonly cookie: string
  readonly account: string
}

async function signUpAt({ app }: DiggerServer, n: number): Promise<Member> {
  const email = `person${n}@example.com`
  const credentials = demoCredentials(n)
  const post = (url: string, payload: object) => app.inject({ method: 'POST', url, payload })
  const made = await post('/api/user/user', { email, password: PASSWORD, ...credentials })
  if (made.statusCode !== 200) throw new Error(`the sign-up failed: ${made.payload}`)
  const entered = await post('/api/login', { email, password: PASSWORD })
  const { userId } = entered.json<{ userId: string }>()
  return { userId, email, cookie: cookieOf(entered), account: credentials.accountNumber }
}

/** Several workers and gateways over one bus in this process, a database of their own, and the pretend broker. */
export class ClusterFixture {
  readonly wire = new LocalWire()
  readonly people: Member[] = []
  readonly workers: DiggerWorker[] = []
  readonly gateways: DiggerGateway[] = []
  /** Those of the gateways. */
  readonly buses: LocalBus[] = []
  readonly sim: Sim
  readonly secrets: WorkerSecrets
  readonly #processes: TimedProcesses
  readonly #folder: string
  readonly #secretFiles: ReturnType<typeof writeAllSecrets>

  private constructor(folder: string, processes: TimedProcesses, sim: Sim) {
    this.#folder = folder
    this.#secretFiles = writeAllSecrets(folder)
    const { CLUSTER_SECRET_FILE, WORKER_SECRET_FILE } = this.#secretFiles
    this.secrets = readWorkerSecrets(CLUSTER_SECRET_FILE, WORKER_SECRET_FILE)
    this.#processes = processes
    this.sim = sim
  }

  /** The first of the people is an administrator. */
  static async open(people: number): Promise<ClusterFixture> {
    const folder = mkdtempSync(join(tmpdir(), 'digger-cluster-'))
    const accounts = Array.from({ length: people }, (_, n) => ({ credentials: demoCredentials(n), cash: 100_000_000 }))
    const clock = { mode: 'real', speed: 1 } as const
    const sim = await startSim({
      port: 0,
      hours: 'always',
      clock,
      walk: 'off',
      latency: 'none',
      limits: 'off',
      accounts,
    })
    const fixture = new ClusterFixture(folder, await TimedProcesses.open(), sim)
    await fixture.#signUp(people)
    return fixture
  }

  get place(): TimedProcesses['place'] {
    return this.#processes.place
  }

  /** What a process of it is started with. */
  get environment(): Record<string, string> {
    const { url } = this.place
    return { DATA_DIR: this.#folder, DATABASE_URL: url, ...this.#secretFiles, PORT: '0' }
  }

  get parts() {
    return {
      config: readConfig(this.environment),
      log: createLogger('fatal'),
      broker: { env: 'real', restUrl: this.sim.url, wsUrl: this.sim.wsUrl } as const,
      hours: 'always' as const,
      requestLimits: NO_LIMITS,
      passwords: cheapPasswords(),
      rateLimits: { ...UNLIMITED, orderSpacingMs: ORDER_EVERY_MS },
    }
  }

  async #signUp(people: number): Promise<void> {
    const one = await createServer(this.parts)
    const { pool } = one.database
    // Side by side, for each waits for the broker; in lists they are in this order.
    this.people.push(...(await Promise.all(Array.from({ length: people }, (_, n) => signUpAt(one, n)))))
    for (const [n, { userId }] of this.people.entries())
      await pool.query('update users set created_at = $1 where id = $2', [Date.now() + n, userId])
    await pool.query('update users set may_add_stocks = true')
    await pool.query('update users set digger_admin = true where id = $1', [this.people[0]?.userId])
    await one.close()
  }

  async addWorker(): Promise<DiggerWorker> {
    const worker = await this.#processes.worker(this.parts, new LocalBus(this.wire), this.secrets)
    this.workers.push(worker)
    return worker
  }

  async addGateway(): Promise<DiggerGateway> {
    const bus = new LocalBus(this.wire)
    const gateway = await this.#processes.gateway(this.parts, bus, this.secrets)
    this.buses.push(bus)
    this.gateways.push(gateway)
    return gateway
  }

  /** Accounts that are armed, over all workers of this process. */
  get armed(): number {
    return this.workers.reduce((sum, { engine }) => sum + engine.health.vitals().armed, 0)
  }

  /** Waits until the workers of this process have moved their shards, and every account is armed with one of them. */
  settled(): Promise<void> {
    return settledShards(this.workers, () => this.armed === this.people.length)
  }

  call(n: number, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object, gateway = 0) {
    const headers = { cookie: this.people[n]?.cookie ?? '' }
    const { app } = this.gateways[gateway] ?? {}
    if (app === undefined) throw new Error('no such gateway')
    return app.inject({ method, url, headers, ...(payload && { payload }) })
  }

  async close(): Promise<void> {
    await this.#processes.end(this.gateways, this.workers)
    await this.sim.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
