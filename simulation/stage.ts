import type { Sim, SimOptions } from '@digger/kis-sim'
import type { Vitals } from '@digger/engine'
import type { DiggerServer } from '@digger/server'
import type { DatabaseModel, StatementSeen } from './database/model.ts'
import type { Process } from './machine/process.ts'
import type { NetworkSocket } from './machine/network.ts'
import type { Simulation } from './machine/simulation.ts'
import { logOf } from './log.ts'
import { Looks } from './looks.ts'
import { Moment } from './moment.ts'
import type { Plan } from './planned.ts'
import { ACCOUNTS, MASTER_KEY_FILE } from './template.ts'
import type { Story } from './story.ts'
import type { SentOrder } from './sent-order.ts'
import { createServer, listings, readConfig, startSim } from './product.ts'

export type ServerName = 'A' | 'B'

/** One start of a server: the process, and what it made of itself once it answers. */
export interface RunningServer {
  readonly name: ServerName
  readonly process: Process
  server: DiggerServer | null
}

export const PORTS = { broker: 18_443, database: 5_432, A: 8_081, B: 8_082 } as const
/** Whoever supervises a server starts it again after this, ms. */
const RESTART_MS = 3_000
const HEARTBEAT = /^update "engine_holder" set "seen_at"/

/** The programs of a run: the pretend broker, the database, one server or two, and the people's browsers. */
export class Stage {
  readonly simulation: Simulation
  readonly plan: Plan
  readonly story: Story
  readonly database: DatabaseModel
  readonly databaseProcess: Process
  readonly brokerProcess: Process
  readonly people: Process
  readonly servers: RunningServer[] = []
  /** Which server people's browsers are sent to. */
  active: ServerName = 'A'
  /** Called when a server gives the database up. */
  onDatabaseLost: (server: RunningServer, why: string) => void = () => undefined
  /** Servers that nobody starts again at the moment. */
  readonly unsupervised = new Set<ServerName>()
  /** A server writes an order's last byte; the line can still be cut before it. */
  readonly orderWritten = new Moment<SentOrder>()
  /** What the checks really looked at. */
  readonly looks = new Looks()
  /** The database has refused to write. */
  readonly writeRefused = new Moment<StatementSeen>()
  #sim: Sim | null = null
  #owner: { process: Process; since: number } | null = null
  /** Every process that has had the lock, in the order in which it went over. */
  readonly #owners: Process[] = []
  readonly #commits = new Map<string, number>()
  #heartbeats = 0
  readonly #clients = new Map<number, Process>()

  constructor(simulation: Simulation, plan: Plan, story: Story, database: DatabaseModel) {
    this.simulation = simulation
    this.plan = plan
    this.story = story
    this.database = database
    this.databaseProcess = simulation.start('database')
    this.brokerProcess = simulation.start('broker')
    this.people = simulation.start('people')
    simulation.afterStep = () => this.noteOwner()
    database.onStatement = (seen) => this.#committed(seen)
  }

  get sim(): Sim {
    if (this.#sim === null) throw new Error('the broker has not started')
    return this.#sim
  }

  /** Starts everything; the first server a second after the rest. */
  open(): void {
    this.simulation.network.listen(PORTS.database, {
      process: this.databaseProcess,
      allowHalfOpen: true,
      accept: (socket: NetworkSocket) => this.#connect(socket),
    })
    this.simulation.at(0, this.brokerProcess, () => {
      void startSim(this.#market()).then((sim) => (this.#sim = sim))
    })
    this.simulation.at(1_000, null, () => this.startServer('A'))
  }

  #market(): SimOptions {
    const { seed, market } = this.plan
    const codes = new Set(this.plan.accounts.flatMap(({ stocks }) => stocks.map(({ code }) => code)))
    return {
      seed,
      port: PORTS.broker,
      hours: 'krx',
      clock: { mode: 'real' },
      universe: listings.filter(({ code }) => codes.has(code)),
      accounts: ACCOUNTS,
      walk: market,
      assumptions: { ledgerCallsPerSecond: 1 },
    }
  }

  /** The database knows its sessions by number only: the newest one, when a connection's first bytes come, is its own. */
  #connect(socket: NetworkSocket): void {
    this.database.connect(socket)
    const learn = (): void => {
      const newest = this.database.sessions.at(-1)
      if (newest === undefined || this.#clients.has(newest.pid) || socket.peer === null) return
      this.#clients.set(newest.pid, socket.peer.process)
      socket.off('data', learn)
    }
    socket.on('data', learn)
  }

  /** After each step: who has the database's lock. */
  noteOwner(): void {
    const process = this.#clients.get(this.database.lockHolder?.pid ?? -1)
    if (process === this.#owner?.process) return
    this.#owner = process === undefined ? null : { process, since: this.simulation.now }
    if (process !== undefined && process !== this.#owners.at(-1)) this.#owners.push(process)
  }

  /** A statement was carried out: which orders are committed by it, and when. */
  #committed(seen: StatementSeen): void {
    const { text, code, tags } = seen
    if (code !== null && code === this.database.faults.writes) this.writeRefused.come(seen)
    const isDone = code === null && tags.length > 0
    if (isDone && HEARTBEAT.test(text)) this.#heartbeats += 1
    if (!isDone || !text.includes('orders_part')) return
    const rows: readonly { user_id: string; id: number }[] = JSON.parse(String(seen.values[5] ?? '[]'))
    for (const { user_id: userId, id } of rows) {
      const key = `${userId}/${id}`
      if (!this.#commits.has(key)) this.#commits.set(key, this.simulation.now)
    }
  }

  /** Grows with every commit after which something else may be read than before it; the servers' heartbeats are in no check. */
  get changes(): number {
    return this.database.counts.commits - this.#heartbeats
  }

  /** Which process has the database's lock, and since when, ms; null: nobody of this run. */
  get owner(): { readonly process: Process; readonly since: number } | null {
    return this.#owner
  }

  /** Whether another process has had the lock since this one first had it; it may be gone. */
  wasTakenOver(process: Process): boolean {
    return this.#owners.slice(this.#owners.indexOf(process)).some((owner) => owner !== process)
  }

  /** Ms since the start of the run; null for a row that is older than this process of the check. */
  committedAt(userId: string, orderId: number): number | null {
    return this.#commits.get(`${userId}/${orderId}`) ?? null
  }

  /** The newest start of a server that is still there. */
  running(name: ServerName): RunningServer | undefined {
    return this.servers.findLast((one) => one.name === name && one.process.alive)
  }

  /** How the accounts of the server that people are sent to are doing, by its own clocks; null while none answers. */
  vitals(): Vitals | null {
    const one = this.running(this.active)
    if (one === undefined || one.server === null) return null
    const { engine } = one.server
    return this.simulation.enter(one.process, () => engine.health.vitals())
  }

  startServer(name: ServerName): void {
    const process = this.simulation.start(`server ${name}`)
    const one: RunningServer = { name, process, server: null }
    this.servers.push(one)
    this.story.add(`server ${name} starts as ${process.pid}`)
    process.onEnd = ({ how, why }) => {
      this.story.add(`server ${name} (${process.pid}) ${how}: ${why}`)
      this.#sendBack(name)
      this.simulation.after(RESTART_MS, null, () => {
        if (!this.unsupervised.has(name) && this.running(name) === undefined) this.startServer(name)
      })
    }
    this.simulation.at(this.simulation.now, process, () => {
      this.#run(one).catch((error: unknown) => this.#leave(process, String(error)))
    })
  }

  /** People go to the server that has the database: where another one could not take it over they go back to the first. */
  #sendBack(name: ServerName): void {
    const other = name === 'A' ? 'B' : 'A'
    const first = this.running(other)
    if (name !== this.active || first === undefined || this.#owner?.process !== first.process) return
    this.active = other
    this.unsupervised.delete(other)
    this.unsupervised.add(name)
    this.story.add(`people go back to server ${other}`)
  }

  /** As the product's own start file does it, with a broker that runs by itself. */
  async #run(one: RunningServer): Promise<void> {
    const config = readConfig({
      PORT: String(PORTS[one.name]),
      DATABASE_URL: `postgres://digger@127.0.0.1:${PORTS.database}/digger`,
      MASTER_KEY_FILE,
      // Any secret does, and no file is written here.
      NOTIFICATION_KEY_FILE: MASTER_KEY_FILE,
      KIS_REST_URL: `http://127.0.0.1:${PORTS.broker}`,
      KIS_WS_URL: `ws://127.0.0.1:${PORTS.broker}`,
    })
    const broker = { env: 'real', restUrl: config.KIS_REST_URL ?? '', wsUrl: config.KIS_WS_URL ?? '' } as const
    const server = await createServer({ config, log: logOf(this.story, one.name), broker, hours: 'krx' })
    await server.listen()
    one.server = server
    this.story.add(`server ${one.name} answers`)
    void server.database.failed.then((error) => this.#databaseLost(one, `the database is lost: ${error.message}`))
  }

  #databaseLost(one: RunningServer, why: string): void {
    this.onDatabaseLost(one, why)
    this.#leave(one.process, why)
  }

  #leave(process: Process, why: string): void {
    this.simulation.end(process, { how: 'left', why })
  }
}
