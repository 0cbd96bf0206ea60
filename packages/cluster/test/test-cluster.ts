import { type Database, openDatabase, OwnedShards, sessionClient } from '@digger/database'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { Member, type MemberParts } from '../src/member.ts'
import type { PlacementEvent, ShardHolder } from '../src/placement.ts'
import { ClusterTime } from './cluster-time.ts'
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
  readonly url: string
  readonly database: Database
  readonly time: ClusterTime
  readonly #place: TestPlace

  private constructor(place: TestPlace, time: ClusterTime, database: Database) {
    this.#place = place
    this.url = place.config.DATABASE_URL ?? ''
    this.time = time
    this.database = database
  }

  static async open(): Promise<TestCluster> {
    const place = await testPlace()
    const { DATABASE_URL: databaseUrl = '' } = place.config
    const time = await ClusterTime.of(databaseUrl)
    return new TestCluster(place, time, await openDatabase({ databaseUrl, dataDir: '', exclusive: false }))
  }

  /** One that has yet to begin. */
  newWorker(options: WorkerOptions = {}): TestWorker {
    const worker = new TestWorker(this, options)
    this.workers.push(worker)
    return worker
  }

  async begin(options: WorkerOptions = {}): Promise<TestWorker> {
    const worker = this.newWorker(options)
    await worker.member.begin()
    return worker
  }

  get counts(): number[] {
    return this.workers.map(({ count }) => count)
  }

  /** The database is away for everybody: each connection ends, and none begins. */
  cutDatabase(): Promise<void> {
    return this.#onServer(
      'allow_connections false',
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${this.#name}'`,
    )
  }

  restoreDatabase(): Promise<void> {
    return this.#onServer('allow_connections true')
  }

  get #name(): string {
    return new URL(this.url).pathname.slice(1)
  }

  async #onServer(change: string, ...more: readonly string[]): Promise<void> {
    const client = sessionClient(process.env['DIGGER_TEST_POSTGRES'] ?? '')
    await client.connect()
    for (const sql of [`alter database ${this.#name} ${change}`, ...more]) await client.query(sql)
    await client.end()
  }

  async end(): Promise<void> {
    for (const { member } of this.workers) await member.end({ withinMs: 0 })
    await this.time.end()
    await this.database.close()
    await this.#place[Symbol.asyncDispose]()
  }
}
