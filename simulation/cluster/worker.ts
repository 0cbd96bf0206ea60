import type { Member as MemberType } from '@digger/cluster'
import type { Engine as EngineType } from '@digger/engine'
import type { KisEnv, KisRest, NewOrder, StoredToken } from '@digger/kis'
import type { Process } from '../machine/process.ts'
import { CUSTOMERS } from './customers.ts'
import * as product from './product.ts'

/** The broker counts the calls of a key by the second, and the owner before may have used up this one (server/src/news), ms. */
const TAKEOVER_HOLD_MS = 1_000

/** The account's own order, which is what the engine hands to the client. */
export interface OwnOrder extends NewOrder {
  readonly id: number
  readonly lots: readonly { readonly lotId: number }[]
}

const isOwn = (order: NewOrder): order is OwnOrder => 'id' in order && 'lots' in order

/** An order in the turn in which its bytes are written. */
export interface WrittenOrder {
  readonly process: Process
  readonly userId: string
  readonly order: OwnOrder
  /** Of its account, as the worker that writes it knows it. */
  readonly epoch: number
}

export interface WorkerParts {
  readonly databaseUrl: string
  readonly brokerPort: number
  readonly env: KisEnv
  readonly process: Process
  /** Tokens are in the tables, sealed, in the product: here they are at hand. */
  readonly tokens: Map<string, StoredToken>
  readonly written: (order: WrittenOrder) => void
  readonly report: (text: string) => void
}

/**
 * One worker of the product, without its HTTP: membership, shards and leases; the engine with all its accounts, their mailboxes, the
 * committer and the last look; and the client of the broker, over sockets.
 */
export class Worker {
  readonly process: Process
  readonly #parts: WorkerParts
  readonly #owned = new product.OwnedShards()
  #engine: EngineType | null = null
  #member: MemberType | null = null

  constructor(parts: WorkerParts) {
    this.#parts = parts
    this.process = parts.process
  }

  /** As `createWorker` does it. */
  async begin(): Promise<void> {
    const { databaseUrl: url, report } = this.#parts
    const opened = await product.openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
    const owned = this.#owned
    const engine = this.#engineOn({ ...opened, owned, lease: { held: () => this.#member?.lease.held() === true } })
    this.#engine = engine
    this.#member = new product.Member({
      url,
      db: opened.db,
      owned,
      holder: {
        own: async (shards) => {
          await engine.own(shards)
          await this.#openKeys(engine, shards)
        },
        letGo: (shards) => engine.letGo(shards),
        lose: (shards) => engine.lose(shards),
      },
      stopRead: (row) => engine.takeServerStop(product.storedStop(row)),
      report: (event) => report('shards' in event ? `${event.kind} ${event.shards.length}` : JSON.stringify(event)),
      problem: (error) => report(String(error)),
    })
    await engine.start()
    await this.#member.begin()
  }

  #engineOn(tables: ConstructorParameters<typeof product.Engine>[0]['tables']): EngineType {
    const { env, brokerPort, report, tokens } = this.#parts
    const clock = new product.SteadyClock()
    const timetables = new product.Timetables('krx')
    const problem = (userId: string | null, error: unknown): void => report(`${userId ?? ''} ${String(error)}`)
    const connector = new product.Connector({
      env,
      restUrl: `http://127.0.0.1:${brokerPort}`,
      wsUrl: `ws://127.0.0.1:${brokerPort}`,
      clock,
      tokens: {
        load: async (userId) => tokens.get(userId) ?? null,
        save: async (userId, _env, token) => void tokens.set(userId, token),
      },
      problem,
      isOpenDay: (day) => product.isTradingDay(day, timetables.current),
    })
    const engine = new product.Engine({
      tables,
      clock,
      env,
      limits: product.ACCOUNT_LIMITS.sim,
      timetables,
      connector: {
        connect: (userId, credentials, holdMs) => {
          const broker = connector.connect(userId, credentials, holdMs)
          this.#watch(userId, broker.rest)
          return broker
        },
      },
      problem,
      fenced: (userId) => report(`${userId} is fenced`),
      takeoverHoldMs: TAKEOVER_HOLD_MS,
    })
    return engine
  }

  /** Sees each order in the turn of its write. */
  #watch(userId: string, rest: KisRest): void {
    const send = rest.order.bind(rest)
    const order: KisRest['order'] = (order, guard) => {
      const refuse = (): string | null => {
        const refusal = guard?.refuse() ?? null
        if (refusal === null && isOwn(order)) this.#written(userId, order)
        else this.#parts.report(`${userId} does not send: ${refusal}`)
        return refusal
      }
      return send(order, { refuse })
    }
    Object.defineProperty(rest, 'order', { value: order })
  }

  #written(userId: string, order: OwnOrder): void {
    const { process, written } = this.#parts
    written({ process, userId, order, epoch: this.#owned.of(userId)?.epoch ?? 0 })
  }

  async #openKeys(engine: EngineType, shards: readonly number[]): Promise<void> {
    for (const { userId, credentials } of CUSTOMERS)
      if (shards.includes(product.shardOf(userId)) && engine.has(userId)) await engine.unlock(userId, credentials)
  }

  /** Whether it has the account, as far as it knows. */
  has(userId: string): boolean {
    return this.#owned.of(userId) !== undefined && this.#engine?.has(userId) === true
  }

  /** Whether all its accounts trade. */
  get isArmed(): boolean {
    if (this.#engine === null) return false
    const { armed, opened } = this.#engine.health.vitals()
    return armed >= opened
  }
}
