import { type Bus, type ClusterSecret, Member, type MemberParts, SealedBus } from '@digger/cluster'
import { type Lease, openDatabase, OwnedShards } from '@digger/database'
import type { KeyPair } from '@digger/identity'
import { FencedError, storedStop } from '@digger/storage'
import { droppedTo } from './forged.ts'
import { answerStates } from './forward/account-states.ts'
import { answerCalls } from './forward/answer-calls.ts'
import { ForwardedGrants } from './forward/grants.ts'
import { LiveRelay } from './forward/live-relay.ts'
import { accountState } from './handlers/admin.ts'
import { KeyUpkeep } from './key-upkeep.ts'
import { WorkerNews } from './news/worker-news.ts'
import { assemble, type Assembled, type ServerParts } from './server.ts'
import { holderWithKeys, workerKeys } from './worker-keys.ts'

/** Orders on the wire have their reply or their time-out by then, ms. */
const END_MS = 25_000

export interface DiggerWorker extends Pick<Assembled, 'app' | 'engine' | 'database' | 'vault'> {
  readonly member: Member
  /** Lets its shards go, and ends. */
  close(): Promise<void>
}

/** A process that has a share of the accounts: it trades, and answers what gateways send. It has no screens. */
export async function createWorker(parts: ServerParts, openBus: Bus, secret: ClusterSecret): Promise<DiggerWorker> {
  const { config, log } = parts
  const bus = new SealedBus(openBus, secret, { dropped: droppedTo(log) })
  const url = config.DATABASE_URL ?? ''
  const opened = await openDatabase({ databaseUrl: url, dataDir: config.DATA_DIR, exclusive: false })
  const owned = new OwnedShards()
  const membership: { member: Member | null } = { member: null }
  const lease: Lease = { held: () => membership.member?.lease.held() === true }
  const news = new WorkerNews(bus, () => membership.member)
  const grants = new ForwardedGrants()
  const { pair, shares, keyOf } = workerKeys({ db: opened.db, secret, owned, log })
  const assembled = await assemble(parts, { ...opened, owned, lease }, { grants, keyShares: shares, ...news.others })
  const { app, engine, services, vault, problem, dayClose } = assembled
  const upkeep = new KeyUpkeep({ vault, keys: services.keys, shares, owned, problem })
  news.follow(services)
  const links = new Links(bus, assembled, { grants, pair })
  const member = new Member({
    url,
    db: opened.db,
    owned,
    holder: holderWithKeys(assembled, owned, upkeep),
    keyOf,
    stopRead: (row) => engine.takeServerStop(storedStop(row)),
    report: (event) => {
      log.info(event, 'cluster')
      if (event.kind === 'joined') links.join(event.worker)
    },
    problem: (error) => log.warn({ err: error }, 'cluster problem'),
  } satisfies MemberParts)
  membership.member = member
  await app.ready()
  await member.begin()
  dayClose.start()
  const endUpkeep = upkeep.begin(services.wall)
  return {
    app,
    engine,
    vault,
    database: assembled.database,
    member,
    async close() {
      await member.end({ withinMs: END_MS })
      links.end()
      endUpkeep()
      news.end()
      await app.close()
      await dayClose.stop()
      await engine.stop()
      await opened.close()
    },
  }
}

/** What gateways reach a worker by, under the name that it has now. */
class Links {
  readonly #bus: Bus
  readonly #assembled: Assembled
  readonly #answering: { readonly grants: ForwardedGrants; readonly pair: KeyPair }
  #ends: (() => void)[] = []

  constructor(bus: Bus, assembled: Assembled, answering: { grants: ForwardedGrants; pair: KeyPair }) {
    this.#bus = bus
    this.#assembled = assembled
    this.#answering = answering
  }

  join(worker: string): void {
    this.end()
    const { app, engine, services, database } = this.#assembled
    const relay = new LiveRelay(worker, {
      bus: this.#bus,
      live: services.live,
      clock: services.wall,
      has: (userId) => engine.has(userId),
    })
    const end = answerCalls(worker, {
      ...this.#answering,
      bus: this.#bus,
      app,
      has: (userId) => this.#has(userId),
      isOwn: (place) => database.owned.of(place) !== undefined,
    })
    const { owned } = database
    const stateOf = (userId: string) => (owned.of(userId) === undefined ? null : accountState(services, userId))
    this.#ends = [end, () => relay.end(), answerStates(worker, { bus: this.#bus, stateOf })]
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
