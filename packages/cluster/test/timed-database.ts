import { sessionClient } from '@digger/database'
import { type TestPlace, testPlace } from '@digger/database/testing'
import { ClusterTime } from './cluster-time.ts'

/** A database of its own on the PostgreSQL of the run, that tells the time of the workers on it. */
export class TimedDatabase {
  readonly url: string
  readonly time: ClusterTime
  readonly #place: TestPlace

  private constructor(place: TestPlace, url: string, time: ClusterTime) {
    this.#place = place
    this.url = url
    this.time = time
  }

  /** `pauseMs`: see ClusterTime. */
  static async open(pauseMs?: number): Promise<TimedDatabase> {
    const place = await testPlace()
    const { DATABASE_URL: url } = place.config
    if (url === undefined) throw new Error('workers need a PostgreSQL')
    return new TimedDatabase(place, url, await ClusterTime.of(url, pauseMs))
  }

  /**
   * It is away for everybody: each connection ends, and none begins. Those that hold a lock end last, for nobody is there to hear of that
   * when a server goes.
   */
  cut(): Promise<void> {
    const end = `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${this.#name}'`
    return this.#onServer(
      'allow_connections false',
      `${end} and pid not in (select pid from pg_locks where locktype = 'advisory' and granted)`,
      end,
    )
  }

  restore(): Promise<void> {
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
    await this.time.end()
    await this.#place[Symbol.asyncDispose]()
  }
}
