import { chmodSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findNats } from '@digger/cluster/testing'
import { findPostgres } from '@digger/database/testing'
import { Clocks } from './clocks.ts'
import { passDoor } from './doors.ts'
import { HostProcess } from './host-process.ts'
import { EXCHANGE_PORT, type MarketMessage, MarketReady } from './market-message.ts'
import { MemberReports } from './member-reports.ts'
import { Network } from './network.ts'
import { PostgresHost } from './postgres-host.ts'
import { isPrepared, keepPrepared, takePrepared, writeSecrets } from './prepared.ts'
import { BrokerControl } from '../crash/broker-control.ts'

export interface ClusterSize {
  readonly accounts: number
  readonly stocks: number
  readonly workers: number
  readonly gateways: number
}

export interface ClusterOptions {
  /** With a second PostgreSQL, which has nothing yet. */
  readonly standby?: boolean
  /** How long prices take up, down and back. */
  readonly swingMs?: number
  /** A folder that has the accounts from an earlier run, or gets them: five hundred take ten minutes to make. */
  readonly prepared?: string | undefined
}

const SWING_MS = 24_000

export const DATABASE = 'db'
export const STANDBY = 'db2'
export const BUS = 'bus'
export const EXCHANGE = 'kis'
const RECORDER = 'rec'
const DATABASE_SERVICE = '198.18.0.200'
const BUS_PORT = 4222
/** Few enough for a worker that is found dead to be believed (decision 018). */
const TCP_RETRIES = 8
const END_MS = 40_000
const RECORDER_END_MS = 5_000
/** Until a member that ended by itself is started again. */
const AGAIN_MS = 1_000
const names = (what: string, count: number): string[] => Array.from({ length: count }, (_, n) => `${what}${n + 1}`)
const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** PostgreSQL, NATS, the pretend exchange, workers and gateways: each a real process on a host of its own. */
export class Cluster {
  readonly network = new Network()
  readonly workers: readonly string[]
  readonly gateways: readonly string[]
  readonly reports: MemberReports
  /** The first is the primary. */
  readonly #databases: PostgresHost[]
  codes: readonly string[] = []
  readonly folder: string
  readonly #size: ClusterSize
  readonly #members = new Map<string, HostProcess>()
  readonly clocks = new Clocks((host, byMs) => this.#members.get(host)?.send({ kind: 'clock', byMs }))
  #bus: HostProcess | null = null
  #market: HostProcess | null = null
  #recorder: HostProcess | null = null
  /** Stands in the record of the bus, where that is complete. */
  readonly sign = crypto.randomUUID()
  #broker: BrokerControl | null = null
  readonly #closing: (() => void)[] = []
  /** Members that are to run: one that ends by itself, as when it finds no database, is started again as a service manager does. */
  readonly #wanted = new Set<string>()

  private constructor(folder: string, size: ClusterSize, databases: readonly string[]) {
    this.folder = folder
    this.#size = size
    this.workers = names('w', size.workers)
    this.gateways = names('g', size.gateways)
    this.reports = new MemberReports(size.accounts)
    for (const host of [...databases, BUS, EXCHANGE, RECORDER, ...this.workers, ...this.gateways])
      this.network.add(host)
    for (const worker of this.workers) this.network.setTcpRetries(worker, TCP_RETRIES)
    const bin = findPostgres() ?? ''
    this.#databases = databases.map((host) => new PostgresHost(this.network, host, { bin, folder: join(folder, host) }))
  }

  /** Everything is there and armed, with accounts that were made before. */
  static async open(folder: string, size: ClusterSize, options: ClusterOptions = {}): Promise<Cluster> {
    mkdirSync(folder, { recursive: true })
    // PostgreSQL, which is not root, has its folder below.
    chmodSync(folder, 0o755)
    writeSecrets(folder)
    const cluster = new Cluster(folder, size, options.standby === true ? [DATABASE, STANDBY] : [DATABASE])
    try {
      await cluster.#begin(options)
    } catch (error) {
      await cluster.close()
      throw error
    }
    return cluster
  }

  get broker(): BrokerControl {
    if (this.#broker === null) throw new Error('the pretend exchange is not there')
    return this.#broker
  }

  get armed(): MemberReports['armed'] {
    return this.reports.armed
  }

  get size(): ClusterSize {
    return this.#size
  }

  /** Where clients reach a gateway from this process; null when none answers. */
  async gatewayPort(gateway: string): Promise<{ readonly port: number; readonly end: () => void }> {
    const { port, server } = await passDoor(this.#doorOf(gateway))
    return { port, end: () => void server.close() }
  }

  /** The database that clients reach by the service's address. */
  get primary(): PostgresHost {
    const [first] = this.#databases
    if (first === undefined) throw new Error('there is no database')
    return first
  }

  get standby(): PostgresHost {
    const [, second] = this.#databases
    if (second === undefined) throw new Error('this cluster has no standby')
    return second
  }

  /** The standby becomes the primary, and has the address that clients know. Commits wait for nobody until a new standby is there. */
  async failOver(): Promise<void> {
    const { standby } = this
    standby.promote()
    await standby.setSynchronous('')
    this.#databases.reverse()
    this.network.bringService(DATABASE_SERVICE, standby.host)
  }

  prices(message: MarketMessage): void {
    this.#market?.send(message)
  }

  member(host: string): HostProcess | undefined {
    return this.#members.get(host)
  }

  startMember(host: string): void {
    this.#wanted.add(host)
    if (this.#members.get(host)?.ended === false) return
    const role = this.workers.includes(host) ? 'worker' : 'gateway'
    this.reports.gone(host)
    const args = ['member.ts', role, this.#doorOf(host), String(this.clocks.offOf(host))]
    const member = this.#node(host, args, (message) => {
      if (!member.ended) this.reports.take(host, message)
    })
    this.#members.set(host, member)
  }

  async killMember(host: string): Promise<void> {
    this.#wanted.delete(host)
    await this.#members.get(host)?.kill()
    this.reports.gone(host)
  }

  /** As an operator ends it, for good. False: it had to be killed. */
  async stopMember(host: string): Promise<boolean> {
    this.#wanted.delete(host)
    const member = this.#members.get(host)
    const isInTime = member === undefined || member.ended || (await member.stop(END_MS))
    this.reports.gone(host)
    return isInTime
  }

  startBus(): void {
    if (this.#bus?.ended === false) return
    this.#bus = new HostProcess({
      before: this.network.command(BUS),
      command: [findNats() ?? '', '-a', this.network.addressOf(BUS), '-p', String(BUS_PORT)],
      logFile: join(this.folder, 'bus.log'),
    })
  }

  async killBus(): Promise<void> {
    await this.#bus?.kill()
  }

  /** Ends the members as an operator does, so that the tables are at rest. The exchange and the database go on. Returns who had to be killed. */
  async stopMembers(): Promise<string[]> {
    this.#wanted.clear()
    const hosts = [...this.#members.keys()]
    const stopped = await Promise.all(hosts.map((host) => this.stopMember(host)))
    return hosts.filter((_, n) => stopped[n] === false)
  }

  /** Every message of the bus since its beginning. */
  get busRecord(): string {
    return join(this.folder, 'bus.record')
  }

  /** The record is whole then. False: whoever wrote it was gone before. */
  async endRecord(): Promise<boolean> {
    return this.#recorder?.ended === false && (await this.#recorder.stop(RECORDER_END_MS))
  }

  async close(): Promise<void> {
    this.#wanted.clear()
    for (const end of this.#closing) end()
    await Promise.all(
      [...this.#members.values(), this.#bus, this.#market, this.#recorder].map(async (one) => one?.kill()),
    )
    for (const database of this.#databases) await database.kill()
    this.network.close()
  }

  async #begin({ swingMs = SWING_MS, prepared }: ClusterOptions): Promise<void> {
    const isReady = isPrepared(prepared)
    if (isReady) takePrepared(prepared, this.folder)
    else this.primary.create()
    this.network.bringService(DATABASE_SERVICE, this.primary.host)
    await this.primary.start()
    this.startBus()
    this.#recorder = this.#node(RECORDER, ['leaks/record-bus.ts', this.busRecord, this.sign], () => undefined)
    await this.#startMarket(swingMs)
    if (!isReady) await this.#prepare(prepared)
    for (const host of [...this.workers, ...this.gateways]) this.startMember(host)
    const again = setInterval(() => this.#wanted.forEach((host) => this.startMember(host)), AGAIN_MS)
    this.#closing.push(() => clearInterval(again))
  }

  async #startMarket(swingMs: number): Promise<void> {
    const door = join(this.folder, 'exchange.sock')
    const { accounts, stocks } = this.#size
    const ready = Promise.withResolvers<MarketReady>()
    const numbers = [accounts, stocks, swingMs].map(String)
    const args = ['market.ts', this.network.addressOf(EXCHANGE), door, ...numbers]
    this.#market = this.#node(EXCHANGE, args, (message) => ready.resolve(MarketReady.parse(message)))
    this.codes = (await ready.promise).codes
    const { port, server } = await passDoor(door)
    this.#closing.push(() => void server.close())
    this.#broker = new BrokerControl(`http://127.0.0.1:${port}`)
  }

  async #prepare(keptIn: string | undefined): Promise<void> {
    const [host = ''] = this.workers
    const args = ['prepare.ts', String(this.#size.accounts), ...this.codes]
    const prepared = this.#node(host, args, () => undefined)
    while (!prepared.ended) await delay(50)
    const rows = await this.primary.ask<{ count: string }>('select count(*) as count from stock')
    const expected = this.#size.accounts * this.#size.stocks
    if (Number(rows[0]?.count) !== expected)
      throw new Error(`${rows[0]?.count} of ${expected} stocks were made: ${this.folder}/${host}.log`)
    if (keptIn === undefined) return
    await this.primary.kill()
    keepPrepared(this.folder, keptIn)
    await this.primary.start()
  }

  #doorOf(host: string): string {
    return join(this.folder, `${host}.sock`)
  }

  #node(host: string, [name = '', ...args]: readonly string[], received: (message: unknown) => void): HostProcess {
    const exchange = `${this.network.addressOf(EXCHANGE)}:${EXCHANGE_PORT}`
    return new HostProcess({
      before: this.network.command(host),
      command: [process.execPath, script(name), ...args],
      env: {
        DATA_DIR: this.folder,
        DATABASE_URL: `postgres://digger@${DATABASE_SERVICE}:5432/postgres`,
        MASTER_KEY_FILE: join(this.folder, 'master.key'),
        CLUSTER_SECRET_FILE: join(this.folder, 'cluster.secret'),
        WORKER_SECRET_FILE: join(this.folder, 'worker.secret'),
        KIS_ENV: 'sim',
        KIS_REST_URL: `http://${exchange}`,
        KIS_WS_URL: `ws://${exchange}`,
        NATS_URL: `nats://${this.network.addressOf(BUS)}:${BUS_PORT}`,
        HOST: '127.0.0.1',
        PORT: '0',
        LOG_LEVEL: 'info',
        // Whoever is killed is back sooner, and costs the others less.
        NODE_COMPILE_CACHE: join(this.folder, 'node-cache'),
      },
      logFile: join(this.folder, `${host}.log`),
      received,
    })
  }
}
