import {
  type Bus,
  ClusterCounters,
  ClusterProbe,
  ClusterWatch,
  Member,
  type MemberParts,
  ObservedBus,
  Takeovers,
} from '@digger/cluster'
import { type Lease, openDatabase, OwnedShards, shardOf } from '@digger/database'
import { FencedError } from '@digger/storage'
import { answerCalls } from './forward/answer-calls.ts'
import { ForwardedGrants } from './forward/grants.ts'
import { LiveRelay } from './forward/live-relay.ts'
import { assemble, type Assembled, type ServerParts } from './server.ts'

/** Orders on the wire have their reply or their time-out by then, ms. */
const END_MS = 25_000

export interface DiggerWorker extends Pick<Assembled, 'app' | 'engine' | 'database'> {
  readonly member: Member
  /** Lets its shards go, and ends. */
  close(): Promise<void>
}

/** A process that has a share of the accounts: it trades, and answers what gateways send. It has no screens. */
export async function createWorker(parts: ServerParts, wire: Bus): Promise<DiggerWorker> {
  const { config, log } = parts
  const opened = await openShared(parts)
  const owned = new OwnedShards()
  const membership: { member: Member | null } = { member: null }
  const lease: Lease = { held: () => membership.member?.lease.held() === true }
  const grants = new ForwardedGrants()
  const counters = new ClusterCounters()
  const bus = new ObservedBus(wire, counters)
  const watch = new ClusterWatch(opened.db)
  const cluster = new ClusterProbe({ role: 'worker', watch, counters, bus, member: () => membership.member })
  const fenced = (): void => void (counters.fenced += 1)
  const assembled = await assemble(parts, { ...opened, owned, lease }, { grants, cluster, fenced })
  const { app, engine, dayClose } = assembled
  const links = new Links(bus, assembled, grants)
  const takeovers = new Takeovers(counters, () => isArmed(engine))
  const member = new Member({
    url: config.DATABASE_URL ?? '',
    db: opened.db,
    owned,
    holder: holderOf(assembled, takeovers),
    report: (event) => {
      log.info(event, 'cluster')
      if (event.kind === 'joined') links.join(event.worker)
      else if (event.kind !== 'dead') takeovers.count(event)
    },
    problem: (error) => log.warn({ err: error }, 'cluster problem'),
  } satisfies MemberParts)
  membership.member = member
  await app.ready()
  await member.begin()
  await watch.begin()
  dayClose.start()
  return {
    app,
    engine,
    database: assembled.database,
    member,
    async close() {
      await member.end({ withinMs: END_MS })
      links.end()
      takeovers.end()
      watch.end()
      await app.close()
      await dayClose.stop()
      await engine.stop()
      await opened.close()
    },
  }
}

/** Shared with other workers, and refused where it may forget a commit. */
const openShared = ({ config, log }: ServerParts) =>
  openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    exclusive: false,
    trades: { shared: true, report: (line) => log.warn(line) },
  })

function isArmed({ health }: Assembled['engine']): boolean {
  const { armed, opened } = health.vitals()
  return armed >= opened
}

/** Takes, lets go and loses the accounts of shards. */
const holderOf = ({ engine, services, problem }: Assembled, takeovers: Takeovers): MemberParts['holder'] => ({
  async own(shards) {
    await takeovers.measure('load', () => engine.own(shards))
    const own = new Set(shards)
    await takeovers.measure('keys', () => services.keys.restore(problem, (userId) => own.has(shardOf(userId))))
    takeovers.awaitArmed()
  },
  letGo: (shards) => engine.letGo(shards),
  lose: (shards) => engine.lose(shards),
})

/** What gateways reach a worker by, under the name that it has now. */
class Links {
  readonly #bus: Bus
  readonly #assembled: Assembled
  readonly #grants: ForwardedGrants
  #ends: (() => void)[] = []

  constructor(bus: Bus, assembled: Assembled, grants: ForwardedGrants) {
    this.#bus = bus
    this.#assembled = assembled
    this.#grants = grants
  }

  join(worker: string): void {
    this.end()
    const { app, engine, services } = this.#assembled
    const relay = new LiveRelay(worker, {
      bus: this.#bus,
      live: services.live,
      clock: services.wall,
      has: (userId) => engine.has(userId),
    })
    const end = answerCalls(worker, { bus: this.#bus, app, grants: this.#grants, has: (userId) => this.#has(userId) })
    this.#ends = [end, () => relay.end()]
  }

  /** A user who signed up since has an account that nobody has loaded. */
  async #has(userId: string): Promise<boolean> {
    const { engine } = this.#assembled
    try {
      await engine.open(userId)
      return engine.has(userId)
    } catch (error) {
      if (error instanceof FencedError) return false
      throw error
    }
  }

  end(): void {
    for (const end of this.#ends.splice(0)) end()
  }
}
