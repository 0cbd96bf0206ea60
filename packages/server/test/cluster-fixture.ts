import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LocalBus, LocalWire, type WorkerSecrets } from '@digger/cluster'
import { STATUS_OF } from '@digger/contract'
import { demoCredentials, type Sim } from '@digger/kis-sim'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import { readConfig } from '@digger/config'
import type { DiggerGateway } from '../src/gateway.ts'
import { createLogger } from '../src/log.ts'
import { NO_LIMITS } from '@digger/http'
import type { DiggerWorker } from '../src/worker.ts'
import { cheapPasswords, cookieOf } from './server-fixture.ts'
import { newSecrets } from './cluster-secrets.ts'
import { TimedProcesses, UNLIMITED } from './timed-processes.ts'

export const PASSWORD = '열려라참깨1234'

/** Keeps everything that goes over the wire. */
class RecordingBus extends LocalBus {
  readonly #record: (subject: string, data: Uint8Array) => void

  constructor(wire: LocalWire, record: (subject: string, data: Uint8Array) => void) {
    super(wire)
    this.#record = record
  }

  override async request(subject: string, data: Uint8Array, timeoutMs: number): Promise<Uint8Array> {
    this.#record(subject, data)
    const answer = await super.request(subject, data, timeoutMs)
    this.#record(`${subject} answer`, answer)
    return answer
  }

  override publish(subject: string, data: Uint8Array): void {
    this.#record(subject, data)
    super.publish(subject, data)
  }
}

async function unlessBusy(call: () => Promise<LightMyRequestResponse>): Promise<LightMyRequestResponse> {
  for (let more = 3; ; more -= 1) {
    const answer = await call()
    if (answer.statusCode !== STATUS_OF.BUSY || more === 0) return answer
  }
}

export interface ClusterPerson {
  readonly email: string
  userId: string
  cookie: string
}

/** Workers and a gateway in this process, on a database of their own, over a bus whose bytes are kept. */
export class ClusterFixture {
  readonly folder = mkdtempSync(join(tmpdir(), 'digger-cluster-'))
  readonly secrets: WorkerSecrets
  readonly wire = new LocalWire()
  readonly recorded: { readonly subject: string; readonly data: Buffer }[] = []
  readonly log: string[] = []
  readonly people: ClusterPerson[] = []
  readonly workers: DiggerWorker[] = []
  readonly #processes: TimedProcesses
  readonly #sim: Sim
  #gateway: DiggerGateway | null = null

  private constructor(processes: TimedProcesses, sim: Sim, secrets: WorkerSecrets) {
    this.secrets = secrets
    this.#processes = processes
    this.#sim = sim
  }

  /** One worker, with this master key if any, and a gateway without it. */
  static async start(
    sim: Sim,
    { masterFile = '', secrets = newSecrets(), gatewayEnv = {}, forwarding = {} } = {},
  ): Promise<ClusterFixture> {
    const fixture = new ClusterFixture(await TimedProcesses.open(), sim, secrets)
    await fixture.addWorker(masterFile)
    fixture.#gateway = await fixture.#processes.gateway(
      fixture.#parts('', gatewayEnv),
      fixture.newBus(),
      secrets,
      forwarding,
    )
    return fixture
  }

  get place(): TimedProcesses['place'] {
    return this.#processes.place
  }

  get gateway(): DiggerGateway {
    if (this.#gateway === null) throw new Error('no gateway')
    return this.#gateway
  }

  newBus(): LocalBus {
    return new RecordingBus(this.wire, (subject, data) => this.recorded.push({ subject, data: Buffer.from(data) }))
  }

  #parts(masterFile = '', env: Readonly<Record<string, string>> = {}) {
    return {
      config: readConfig({
        DATA_DIR: this.folder,
        DATABASE_URL: this.place.url,
        PORT: '0',
        ...env,
        ...(masterFile === '' ? {} : { MASTER_KEY_FILE: masterFile }),
      }),
      log: createLogger('warn', { write: (line) => void this.log.push(line) }),
      broker: { env: 'real', restUrl: this.#sim.url, wsUrl: this.#sim.wsUrl } as const,
      hours: 'always' as const,
      requestLimits: NO_LIMITS,
      rateLimits: UNLIMITED,
      passwords: cheapPasswords(),
    }
  }

  async addWorker(masterFile = '', secrets = this.secrets): Promise<DiggerWorker> {
    const worker = await this.#processes.worker(this.#parts(masterFile), this.newBus(), secrets)
    this.workers.push(worker)
    return worker
  }

  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, more: InjectOptions & { cookie?: string } = {}) {
    const { cookie = '', headers, ...rest } = more
    return this.gateway.app.inject({ method, url, headers: { cookie, ...headers }, ...rest })
  }

  logIn(email: string, password = PASSWORD, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> {
    return this.call('POST', '/api/login', { payload: { email, password }, headers })
  }

  /** Signs up and logs in at the gateway; where a worker is too busy to answer again, as the message says. */
  async addPerson(n: number): Promise<ClusterPerson> {
    const email = `person${n}@example.com`
    const payload = { email, password: PASSWORD, ...demoCredentials(n) }
    const made = await unlessBusy(() => this.call('POST', '/api/user/user', { payload }))
    // Conflict: it was made by the one that got no answer.
    const entered = await unlessBusy(() => this.logIn(email))
    if (![200, 409].includes(made.statusCode) || entered.statusCode !== 200)
      throw new Error(`no person: ${made.payload} ${entered.payload}`)
    const person = { email, userId: entered.json<{ userId: string }>().userId, cookie: cookieOf(entered) }
    this.people.push(person)
    return person
  }

  /** Workers that have the account, and those that have its key. */
  placesOf({ userId }: ClusterPerson) {
    return {
      accounts: this.workers.filter(({ engine }) => engine.has(userId)),
      keys: this.workers.filter(({ vault }) => vault.has(userId)),
    }
  }

  /** How many shares of the person's key there are. */
  async sharesOf({ userId }: ClusterPerson): Promise<number> {
    const shares = await this.gateway.database.db
      .selectFrom('key_share')
      .where('user_id', '=', userId)
      .selectAll()
      .execute()
    return shares.length
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#processes.end(this.#gateway === null ? [] : [this.#gateway], this.workers)
    rmSync(this.folder, { recursive: true, force: true })
  }
}
