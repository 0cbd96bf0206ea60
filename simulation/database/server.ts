import type { Refusal } from './backend.ts'
import type { SqlEngine } from './engine.ts'
import type { Value } from './frontend.ts'
import { type Faults, noFaults, noStrikes, type Strikes } from './faults.ts'
import { Locks } from './locks.ts'
import { SharedStatements } from './prepared.ts'

/** A statement and what became of it. */
export interface StatementSeen {
  readonly pid: number
  readonly applicationName: string
  readonly text: string
  readonly values: readonly Value[]
  /** As PostgreSQL says it (`INSERT 0 1`), one for each statement of the text; none where it was refused or not carried out. */
  readonly tags: readonly string[]
  /** SQLSTATE of its refusal. */
  readonly code: string | null
  /** Whether the client gets its answer: the connection may be cut before or after the work. */
  readonly answered: boolean
}

/** What a session can be told from outside. */
export interface OpenSession {
  readonly pid: number
  readonly secret: number
  readonly applicationName: string
  /** Ends it with a message, as `pg_terminate_backend` does. */
  terminate(refusal?: Refusal): void
  /** Ends it without one. */
  cut(): void
  /** Its statement is given up, as far as it still waits. */
  cancel(): void
}

/** The name of the turn to use the engine. */
export const ENGINE = 'engine'

/** What all sessions share. */
export class DatabaseServer {
  readonly engine: SqlEngine
  readonly shared: SharedStatements
  readonly sessions = new Set<OpenSession>()
  locks = new Locks()
  /** Whose turn it is to use the engine: one statement, or a whole transaction. */
  turns = new Locks()
  faults: Faults = noFaults()
  strikes: Strikes = noStrikes()
  counts = { statements: 0, commits: 0 }
  onStatement: ((seen: StatementSeen) => void) | null = null
  /** Of the engine, as `show server_version` answers it. */
  version = ''
  #lastPid = FIRST_PID

  constructor(engine: SqlEngine) {
    this.engine = engine
    this.shared = new SharedStatements(engine)
  }

  nextPid(): number {
    return ++this.#lastPid
  }

  /** As it was when it started, without sessions; the faults object stays the same one. */
  clear(): void {
    for (const session of this.sessions) session.cut()
    this.locks = new Locks()
    this.turns = new Locks()
    Object.assign(this.faults, noFaults())
    Object.assign(this.strikes, noStrikes())
    Object.assign(this.counts, { statements: 0, commits: 0 })
    this.#lastPid = FIRST_PID
  }
}

const FIRST_PID = 1_000
