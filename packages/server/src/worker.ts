import { type Bus, Member, type MemberParts, type ShardHolder } from '@digger/cluster'
import { type Lease, openDatabase, OwnedShards, shardOf } from '@digger/database'
import { FencedError } from '@digger/storage'
import { answerCalls } from './forward/answer-calls.ts'
import { ForwardedGrants } from './forward/grants.ts'
import { LiveRelay } from './forward/live-relay.ts'
import { assemble, type Assembled, type ServerParts } from './server.ts'

/** Jobs are made by gateways, in the tables, ms. */
const JOBS_POLL_MS = 1_000
/** Orders on the wire have their reply or their time-out by then, ms. */
const END_MS = 25_000

export interface DiggerWorker extends Pick<Assembled, 'app' | 'engine' | 'database'> {
  readonly member: Member
  /** Lets its shards go, and ends. */
  close(): Promise<void>
}

/** A process that has a share of the accounts: it trades, and answers what gateways send. It has no screens. */
export async function createWorker(parts: ServerParts, bus: Bus): Promise<DiggerWorker> {
  const { config, log } = parts
  const url = config.DATABASE_URL ?? ''
  const opened = await openDatabase({ databaseUrl: url, dataDir: config.DATA_DIR, exclusive: false })
  const owned = new OwnedShards()
  const membership: { member: Member | null } = { member: null }
  const lease: Lease = { held: () => membership.member?.lease.held() === true }
  const grants = new ForwardedGrants()
  const loaded = new LoadedShards()
  const more = { grants, loadedShards: () => loaded.all() }
  const assembled = await assemble(parts, { ...opened, owned, lease }, more)
  const { app, engine, services, dayClose } = assembled
  const links = new Links(bus, assembled, grants)
  const member = new Member({
    url,
    db: opened.db,
    owned,
    holder: loaded.holderOf(assembled),
    report: (event) => {
      log.info(event, 'cluster')
      if (event.kind === 'joined') links.join(event.worker)
    },
    problem: (error) => log.warn({ err: error }, 'cluster problem'),
  } satisfies MemberParts)
  membership.member = member
  await app.ready()
  await member.begin()
  services.jobs.start({ pollMs: JOBS_POLL_MS })
  dayClose.start()
  return {
    app,
    engine,
    database: assembled.database,
    member,
    async close() {
      dayClose.stop()
      // What runs ends, or goes along with its account.
      const jobs = services.jobs.stop()
      await member.end({ withinMs: END_MS })
      await jobs
      links.end()
      await app.close()
      await engine.stop()
      await opened.close()
    },
  }
}

/** The shards whose accounts are here with their keys: jobs begin nothing before, nor once a shard is on its way to another. */
class LoadedShards {
  readonly #loaded = new Set<number>()

  all(): number[] {
    return [...this.#loaded]
  }

  holderOf({ engine, database: { owned }, services, problem }: Assembled): ShardHolder {
    const drop = (shards: readonly number[]): void => shards.forEach((shard) => this.#loaded.delete(shard))
    return {
      own: async (shards) => {
        await engine.own(shards)
        const own = new Set(shards)
        await services.keys.restore(problem, (userId) => own.has(shardOf(userId)))
        for (const shard of shards) if (owned.has(shard)) this.#loaded.add(shard)
      },
      letGo(shards) {
        drop(shards)
        return engine.letGo(shards)
      },
      lose(shards) {
        drop(shards)
        return engine.lose(shards)
      },
    }
  }
}

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
