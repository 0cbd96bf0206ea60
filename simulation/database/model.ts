import { messageOf } from './backend.ts'
import { Connection, type ClientStream } from './connection.ts'
import { SqlEngine } from './engine.ts'
import type { Faults, Strikes } from './faults.ts'
import type { LockOwner } from './locks.ts'
import { read, type Row } from './read.ts'
import { DatabaseServer, ENGINE, type OpenSession, type StatementSeen } from './server.ts'

export type { Faults, Strikes } from './faults.ts'
export type { StatementSeen } from './server.ts'

/**
 * Key of the lock "this database has its one engine", as packages/database has it. Not imported: the model is loaded
 * while the process still has its real clock, which the product must never see.
 */
const ENGINE_LOCK = '4218017'

type Chosen = Pick<OpenSession, 'pid' | 'applicationName'>

/**
 * A PostgreSQL server of the simulation: its SQL is PostgreSQL's own, its sessions, locks and faults are this model's.
 * It uses nothing but the bytes it is given and `setTimeout`; without a delay or a wait it answers at once.
 */
export class DatabaseModel {
  readonly #engine: SqlEngine
  readonly #server: DatabaseServer

  private constructor(engine: SqlEngine) {
    this.#engine = engine
    this.#server = new DatabaseServer(engine)
  }

  /** Takes some seconds of real time: once for a process, before its time is taken over. */
  static async create(): Promise<DatabaseModel> {
    const engine = await SqlEngine.create()
    const model = new DatabaseModel(engine)
    const [row] = model.query('show server_version')
    model.#server.version = String(row?.['server_version'])
    return model
  }

  get faults(): Faults {
    return this.#server.faults
  }

  get strikes(): Readonly<Strikes> {
    return this.#server.strikes
  }

  get counts(): Readonly<{ statements: number; commits: number }> {
    return this.#server.counts
  }

  /** Called for each statement when it is decided, before the client knows. */
  set onStatement(listener: ((seen: StatementSeen) => void) | null) {
    this.#server.onStatement = listener
  }

  /** A client has connected. */
  connect(stream: ClientStream): void {
    void new Connection(this.#server, stream)
  }

  /** Everything as it is now is what `reset` brings back. No session may be in a transaction. */
  keepTemplate(): void {
    this.#assertNoTransaction()
    this.#server.shared.keep()
    this.#engine.keep()
  }

  /** Cuts every session and makes tables, sequences, faults and counts what they were. The next run cannot tell it from the first. */
  async reset(): Promise<void> {
    this.#server.clear()
    this.#server.onStatement = null
    this.#server.shared.restore()
    this.#engine.restore()
  }

  /** What the engine has otherwise than when the template was kept. */
  differences(): string[] {
    return this.#engine.differences()
  }

  /** Whether a session is between `begin` and the end of its transaction. */
  get inTransaction(): boolean {
    return this.#server.turns.holder(ENGINE) !== null
  }

  /**
   * Reads beside all sessions; bigint comes as number. Within somebody's transaction it sees what that wrote too: none of the
   * product's writes an account's own tables. Throws while a transaction has failed.
   */
  query(sql: string, values: readonly (string | number | boolean | null)[] = []): Row[] {
    const prepared = this.#server.shared.prepare(sql, Buffer.from(`${sql}\0\0\0`))
    if ('refused' in prepared) throw new Error(messageOf(prepared.refused))
    return read(this.#engine, prepared.name, values)
  }

  /** Ends sessions with 57P01, as `pg_terminate_backend` does. Returns how many. */
  cut(chosen: (session: Chosen) => boolean): number {
    return this.#endThose(chosen, (session) => session.terminate())
  }

  cutAll(except: (session: Chosen) => boolean = () => false): number {
    return this.cut((session) => !except(session))
  }

  /** Breaks connections without a word. Returns how many. */
  cutAbruptly(chosen: (session: Chosen) => boolean = () => true): number {
    return this.#endThose(chosen, (session) => session.cut())
  }

  /**
   * Somebody else takes the engine's lock for some time, ms: `whenFree` waits in turn, `kill` ends the session that has
   * it and takes it in the same moment.
   */
  stealLock(ms: number, how: 'whenFree' | 'kill' = 'kill'): void {
    const { locks, strikes } = this.#server
    const thief: LockOwner = { pid: this.#server.nextPid(), applicationName: 'a Digger elsewhere' }
    const take = (): void => {
      strikes.stolenLocks += 1
      setTimeout(() => locks.giveBackAll(thief), ms)
    }
    if (how === 'whenFree') return void locks.take(ENGINE_LOCK, thief, take)
    const holder = locks.holder(ENGINE_LOCK)
    locks.seize(ENGINE_LOCK, thief)
    take()
    this.cut(({ pid }) => pid === holder?.pid)
  }

  /** Who has the engine's lock. */
  get lockHolder(): Chosen | null {
    return this.#server.locks.holder(ENGINE_LOCK)
  }

  get sessions(): readonly Chosen[] {
    return [...this.#server.sessions]
  }

  #endThose(chosen: (session: Chosen) => boolean, end: (session: OpenSession) => void): number {
    const found = [...this.#server.sessions].filter(chosen)
    this.#server.strikes.cuts += found.length
    for (const session of found) end(session)
    return found.length
  }

  #assertNoTransaction(): void {
    if (this.inTransaction) throw new Error('a transaction is open in the model of the database')
  }
}
