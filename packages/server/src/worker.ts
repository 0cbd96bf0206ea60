import {
  assertSameSecrets,
  type Bus,
  clusterBus,
  ClusterCounters,
  ClusterProbe,
  ClusterWatch,
  LoadedShards,
  Member,
  type MemberParts,
  Takeovers,
  type WorkerSecrets,
} from '@digger/cluster'
import { DatabaseClock, databaseTime, type Lease, openDatabase, OwnedShards } from '@digger/database'
import { storedStop } from '@digger/storage'
import { ForwardedGrants } from '@digger/forward'
import { KeyUpkeep } from '@digger/key-ring'
import { WorkerNews } from './news/worker-news.ts'
import { assemble, type Assembled, type ServerParts } from './server.ts'
import { holderWithKeys, workerKeys } from './worker-keys.ts'
import { WorkerLinks } from './worker-links.ts'

/** Jobs are made by gateways, in the tables, ms. */
const JOBS_POLL_MS = 1_000
/** Orders on the wire have their reply or their time-out by then, ms. */
const END_MS = 30_000

export interface DiggerWorker extends Pick<Assembled, 'app' | 'engine' | 'database' | 'vault'> {
  readonly member: Member
  /** Lets its shards go, and ends. */
  close(): Promise<void>
}

/**
 * A process that has a share of the accounts: it trades, and answers what gateways send. It has no screens. `clock`: what it counts by
 * among the others.
 */
export async function createWorker(
  parts: ServerParts,
  openBus: Bus,
  secrets: WorkerSecrets,
  { clock }: Pick<MemberParts, 'clock'> = {},
): Promise<DiggerWorker> {
  const { log } = parts
  const counters = new ClusterCounters()
  const opened = await openShared(parts)
  await assertSameSecrets(opened, secrets)
  // Guesses and ages of messages are counted by all processes together.
  const wall = await DatabaseClock.open(() => databaseTime(opened.pool))
  const bus = clusterBus(openBus, { secret: secrets.cluster, wall, counters, log })
  const owned = new OwnedShards()
  const membership: { member: Member | null } = { member: null }
  const lease: Lease = { held: () => membership.member?.lease.held() === true }
  const news = new WorkerNews(bus, () => membership.member)
  const grants = new ForwardedGrants()
  const { pair, shares, keyOf } = workerKeys({ db: opened.db, secrets, owned, log })
  const watch = new ClusterWatch(opened.db, clock)
  const cluster = new ClusterProbe({ role: 'worker', watch, counters, bus, member: () => membership.member })
  const loaded = new LoadedShards(owned)
  const assembled = await assemble(
    parts,
    { ...opened, owned, lease },
    {
      wall,
      grants,
      cluster,
      keyShares: shares,
      loadedShards: () => loaded.all(),
      notifying: { addressKey: secrets.workers.addressKey, process: () => membership.member?.id ?? '' },
      ...news.others,
      fenced: () => void (counters.fenced += 1),
    },
  )
  const { app, engine, services, vault, problem } = assembled
  const upkeep = new KeyUpkeep({ vault, keys: services.keys, shares, owned, problem })
  news.follow(services)
  const links = new WorkerLinks(bus, assembled, { grants, pair })
  const takeovers = new Takeovers(counters, () => engine.health.allArmed)
  const holder = loaded.following(holderWithKeys(assembled, { owned, upkeep, takeovers }))
  const member = memberOf(assembled, { ...parts, links, takeovers, owned, holder, keyOf, bus, clock })
  membership.member = member
  const ends = [() => links.end(), () => takeovers.end(), () => watch.end(), () => news.end(), () => wall.end()]
  await app.ready()
  await member.begin()
  await watch.begin()
  ends.push(upkeep.begin(clock ?? services.wall))
  return begun(assembled, { vault, member, ends })
}

/** Works off jobs from now on, and ends in order. */
function begun(
  { app, engine, database, services, dayClose, notifying, candles }: Assembled,
  { vault, member, ends }: Pick<DiggerWorker, 'vault' | 'member'> & { readonly ends: readonly (() => void)[] },
): DiggerWorker {
  services.jobs.start({ pollMs: JOBS_POLL_MS })
  dayClose.start()
  notifying.start()
  return {
    app,
    engine,
    vault,
    database,
    member,
    async close() {
      dayClose.stop()
      candles?.abandon()
      // What runs ends, or goes along with its account.
      const jobs = services.jobs.stop()
      const notified = notifying.stop()
      await member.end({ withinMs: END_MS })
      await jobs
      await notified
      for (const end of ends) end()
      await app.close()
      await engine.stop()
      await candles?.stop()
      await database.close()
    },
  }
}

interface Membership
  extends Pick<ServerParts, 'config' | 'log'>, Pick<MemberParts, 'owned' | 'holder' | 'keyOf' | 'bus' | 'clock'> {
  readonly links: WorkerLinks
  readonly takeovers: Takeovers
}

/** This process among the others: what it learns there goes to its accounts, and to its log. */
function memberOf({ engine, database }: Assembled, { config, log, links, takeovers, ...parts }: Membership): Member {
  return new Member({
    ...parts,
    url: config.DATABASE_URL ?? '',
    db: database.db,
    isArmed: () => engine.health.allArmed,
    stopRead: (row) => engine.takeServerStop(storedStop(row)),
    report: (event) => {
      log.info(event, 'cluster')
      if (event.kind === 'joined') links.join(event.worker)
      else if (event.kind !== 'dead') takeovers.count(event)
    },
    problem: (error) => log.warn({ err: error }, 'cluster problem'),
  })
}

/** Shared with other workers, and refused where it may forget a commit. */
const openShared = ({ config, log }: ServerParts) =>
  openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    exclusive: false,
    trades: { shared: true, report: (line) => log.warn(line) },
  })
