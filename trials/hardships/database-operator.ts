import type { Client } from 'pg'
import { connected, type PostgresServer, findPostgres, startPostgres } from '@digger/database/testing'

/** What this machine lacks for a server on PostgreSQL, or null. */
export const postgresMissing = (): string | null =>
  findPostgres() === null ? 'there is no PostgreSQL on this machine' : null

export const ownPostgres = (): Promise<PostgresServer> => startPostgres(findPostgres() ?? '')

/** An operator's own connections to a PostgreSQL server, beside those of the servers under test. */
export class DatabaseOperator {
  readonly url: string
  readonly #name: string
  /** This session is in another database, so that cutting every session of this one leaves it alone. */
  readonly #beside: Client
  readonly #clients: Client[] = []
  /** The server that ends with this operator; null where it is somebody else's. */
  #own: AsyncDisposable | null = null

  private constructor(url: string, beside: Client) {
    this.url = url
    this.#name = new URL(url).pathname.slice(1)
    this.#beside = beside
    this.#clients.push(beside)
  }

  static async on(postgres: PostgresServer): Promise<DatabaseOperator> {
    return new DatabaseOperator(await postgres.newDatabase(), await operator(postgres.url))
  }

  /** On a PostgreSQL server of its own. */
  static async open(): Promise<DatabaseOperator> {
    await using cleanup = new AsyncDisposableStack()
    const operator = await DatabaseOperator.on(cleanup.use(await ownPostgres()))
    operator.#own = cleanup.move()
    return operator
  }

  /** Opens a session inside the database, which `cut` leaves alone. */
  async session(): Promise<Client> {
    const client = await operator(this.url, 'beside')
    this.#clients.push(client)
    return client
  }

  /** Ends sessions as a failover or a firewall does. `which` narrows them down by columns of pg_stat_activity. */
  async cut(which = 'true', most = 1_000): Promise<number> {
    const { rowCount } = await this.#beside.query(
      `select pg_terminate_backend(pid) from (
         select pid from pg_stat_activity
         where datname = $1 and application_name <> 'beside' and (${which}) order by random() limit $2) as chosen`,
      [this.#name, most],
    )
    return rowCount ?? 0
  }

  /** Applies to sessions that begin from now on. */
  async readOnly(yes: boolean): Promise<void> {
    const how = yes ? 'set default_transaction_read_only = on' : 'reset default_transaction_read_only'
    await this.#beside.query(`alter database ${this.#name} ${how}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#clients) await client.end().catch(() => undefined)
    await this.#own?.[Symbol.asyncDispose]()
  }
}

const operator = (url: string, name = 'operator'): Promise<Client> => connected(url, { application_name: name })
