import { type Database, openDatabase, OwnedShards } from '@digger/database'
import { Member, type MemberParts } from '../src/member.ts'
import type { PlacementEvent, ShardHolder } from '../src/placement.ts'
import type { ClusterTime } from './cluster-time.ts'
import { TimedDatabase } from './timed-database.ts'
import { holderWithoutAccounts } from './without-accounts.ts'

interface WorkerOptions extends Partial<Pick<MemberParts, 'isArmed' | 'bus' | 'facts' | 'stopRead'>> {
  readonly holder?: Partial<ShardHolder>
}

/** A worker whose accounts are none. */
export class TestWorker {
  readonly clock
  readonly owned: OwnedShards
  readonly events: string[] = []
  /** By what the others were found dead. */
  readonly found: string[] = []
  readonly problems: unknown[] = []
  readonly member: Member

  constructor({ url, database, time }: Pick<TestCluster, 'url' | 'database' | 'time'>, options: WorkerOptions) {
    this.clock = time.newClock()
    this.owned = new OwnedShards(() => this.clock.now())
    const { holder, ...parts } = options
    this.member = new Member({
      url,
      db: database.db,
      owned: this.owned,
      stopRead: () => undefined,
      report: (event) => this.#note(event),
      problem: (error) => this.problems.push(error),
      clock: this.clock,
      ...parts,
      holder: { ...holderWithoutAccounts(this.owned), ...holder },
    })
    time.follow(this.member, this.clock)
  }

  #note(event: PlacementEvent | { readonly kind: 'joined' | 'dead' }): void {
    this.events.push(event.kind)
    if (event.kind === 'buried') this.found.push(event.why)
  }

  get shards(): readonly number[] {
    return this.owned.all().toSorted((a, b) => a - b)
  }

  get count(): number {
    return this.owned.all().length
  }
}

/** A database of its own, and workers of this process on it, all of one time. */
export class TestCluster {
  readonly workers: TestWorker[] = []
  readonly place: TimedDatabase
  readonly database: Database

  private constructor(place: TimedDatabase, database: Database) {
    this.place = place
    this.database = database
  }

  static async open(): Promise<TestCluster> {
    const place = await TimedDatabase.open()
    const { url: databaseUrl } = place
    return new TestCluster(place, await openDatabase({ databaseUrl, dataDir: '', exclusive: false }))
  }

  get url(): string {
    return this.place.url
  }

  get time(): ClusterTime {
    return this.place.time
  }

  /** One that has yet to begin. */
  newWorker(options: WorkerOptions = {}): TestWorker {
    const worker = new TestWorker(this, options)
    this.workers.push(worker)
    return worker
  }

  /** In no time. */
  async begin(options: WorkerOptions = {}): Promise<TestWorker> {
    const worker = this.newWorker(options)
    await this.time.whileHeld(() => worker.member.begin())
    return worker
  }

  get counts(): number[] {
    return this.workers.map(({ count }) => count)
  }

  async end(): Promise<void> {
    for (const { member } of this.workers) await member.end({ withinMs: 0 })
    await this.database.close()
    await this.place.end()
  }
}
