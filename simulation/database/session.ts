import { backend, dataRow, errorResponse, outcomeOf, ready, type Refusal, sqlstateOf, type Status } from './backend.ts'
import { delayOf, type Fate, fateOf, type Intent } from './faults.ts'
import { simpleQuery } from './frontend.ts'
import type { OwnStatement } from './own-statements.ts'
import { SessionStatements } from './prepared.ts'
import type { Request } from './request.ts'
import { type DatabaseServer, ENGINE, type OpenSession } from './server.ts'
import { Settings } from './settings.ts'

/** The way to one client. */
export interface Line {
  send(bytes: Uint8Array): void
  /** Closes it once everything sent has arrived. */
  end(): void
  /** Breaks it at once. */
  cut(): void
}

const TERMINATED: Refusal = {
  code: '57P01',
  message: 'terminating connection due to administrator command',
  severity: 'FATAL',
}
const IDLE_IN_TRANSACTION: Refusal = {
  code: '25P03',
  message: 'terminating connection due to idle-in-transaction timeout',
  severity: 'FATAL',
}
const CANCELLED: Refusal = { code: '57014', message: 'canceling statement due to user request' }
const STATEMENT_TIMEOUT: Refusal = { code: '57014', message: 'canceling statement due to statement timeout' }
const LOCK_TIMEOUT: Refusal = { code: '55P03', message: 'canceling statement due to lock timeout' }
const ABORTED: Refusal = {
  code: '25P02',
  message: 'current transaction is aborted, commands ignored until end of transaction block',
}

/**
 * One connection's session. Its requests are carried out one after the other, also those of a client that has gone
 * meanwhile: a database notices that only when it answers.
 */
export class Session implements OpenSession {
  readonly pid: number
  readonly secret: number
  readonly settings = new Settings()
  readonly statements: SessionStatements
  readonly #server: DatabaseServer
  readonly #line: Line
  readonly #requests: Request[] = []
  #current: Request | null = null
  /** Whether the current one can still be given up: it was not carried out. */
  #waits = false
  #stops: (() => void)[] = []
  #status: Status = 'I'
  #wrote = false
  #changedTables = false
  #ended = false
  #clientGone = false

  constructor(server: DatabaseServer, line: Line) {
    this.#server = server
    this.#line = line
    this.pid = server.nextPid()
    this.secret = this.pid * 7_919
    this.statements = new SessionStatements(server.shared)
    server.sessions.add(this)
  }

  get applicationName(): string {
    return this.settings.get('application_name')
  }

  get inTransaction(): boolean {
    return this.#status !== 'I'
  }

  ask(request: Request): void {
    this.#requests.push(request)
    this.#next()
  }

  /** What it asked before is still carried out. */
  clientGone(): void {
    this.#clientGone = true
    this.#next()
  }

  terminate(refusal: Refusal = TERMINATED): void {
    if (this.#ended) return
    this.#line.send(errorResponse({ ...refusal, severity: 'FATAL' }))
    this.#line.end()
    this.#end()
  }

  cut(): void {
    if (this.#ended) return
    this.#line.cut()
    this.#end()
  }

  cancel(refusal: Refusal = CANCELLED): void {
    const request = this.#current
    if (request === null || !this.#waits) return
    this.#stopWaiting()
    if (this.#status === 'T') this.#abort()
    this.#report(request, { code: refusal.code })
    this.#deliver(Buffer.concat([errorResponse(refusal), ready(this.#status)]))
  }

  #next(): void {
    if (this.#ended || this.#current !== null) return
    this.#stopWaiting()
    const request = this.#requests.shift()
    if (request !== undefined) return this.#begin(request)
    if (this.#clientGone) this.#hangUp()
    else if (this.#status !== 'I')
      this.#after(this.settings.time('idle_in_transaction_session_timeout'), () => this.terminate(IDLE_IN_TRANSACTION))
  }

  #hangUp(): void {
    this.#line.end()
    this.#end()
  }

  #begin(request: Request): void {
    const { faults, strikes } = this.#server
    this.#current = request
    const fate = fateOf(faults, strikes, this.#intentOf(request))
    if (fate.kind === 'lost') {
      this.#report(request, { answered: false })
      return this.cut()
    }
    const ms = delayOf(faults, strikes)
    if (ms === 0 || faults.delayWhen === 'after') return this.#takeTurn(request, fate, ms)
    this.#startWaiting()
    this.#after(ms, () => this.#takeTurn(request, fate, 0))
  }

  #intentOf({ statement, own }: Request): Intent {
    const kind = statement === null || own !== null ? 'other' : statement.kind
    const ends = kind === 'commit' && this.#wrote
    return {
      reads: kind === 'read',
      writes: kind === 'write' || ends,
      commits: ends || (kind === 'write' && this.#status === 'I'),
    }
  }

  /** Waits for the lock it asks for, or for its turn to use the engine. */
  #takeTurn(request: Request, fate: Fate, lateMs: number): void {
    const carryOut = (): void => this.#carryOut(request, fate, lateMs)
    const { locks, turns } = this.#server
    const lock = this.#status === 'E' ? undefined : request.own?.lock?.(this.#context(), request.values())
    if (lock === undefined && (request.own !== null || this.inTransaction)) return carryOut()
    const [queue, key] = lock === undefined ? [turns, ENGINE] : [locks, lock.key]
    if (queue.tryTake(key, this, lock?.mode)) return carryOut()
    if (!this.#waits) this.#startWaiting()
    if (lock !== undefined) this.#after(lock.timeoutMs, () => this.cancel(LOCK_TIMEOUT))
    this.#stops.push(queue.take(key, this, carryOut, lock?.mode))
  }

  #carryOut(request: Request, fate: Fate, lateMs: number): void {
    this.#stopWaiting()
    const answer = request.own === null ? this.#askEngine(request, fate) : this.#answerOwn(request, request.own)
    if (fate.kind === 'silent') return this.cut()
    if (lateMs === 0) return this.#deliver(answer)
    this.#giveBackTurn()
    this.#after(lateMs, () => this.#deliver(answer))
  }

  #askEngine(request: Request, fate: Fate): Buffer {
    const { answer, refused } = request.parse()
    const refusal = refused ?? (fate.kind === 'refused' ? errorResponse(fate) : null)
    if (refusal !== null) return this.#refuse(request, answer, refusal)
    const bytes = this.#server.engine.run(request.forEngine())
    const { tags, code, status } = outcomeOf(bytes)
    this.#moved(request, status, tags, code)
    this.#report(request, { tags, code, answered: fate.kind !== 'silent' })
    return answer.length === 0 ? bytes : Buffer.concat([...answer, bytes])
  }

  /** A refused commit ends its transaction, anything else fails it. */
  #refuse(request: Request, answer: readonly Buffer[], refusal: Buffer): Buffer {
    if (request.statement?.kind === 'commit') this.#rollBack()
    else if (this.#status === 'T') this.#abort()
    this.#report(request, { code: sqlstateOf(refusal) })
    return Buffer.concat([...answer, refusal, ready(this.#status)])
  }

  /** Where a statement left the transaction. */
  #moved({ statement }: Request, status: Status, tags: readonly string[], code: string | null): void {
    const { counts, shared } = this.#server
    const wrote = statement?.kind === 'write' && code === null
    this.#changedTables ||= wrote && statement.changesTables
    this.#wrote ||= wrote
    this.#status = status
    if (status !== 'I') return
    if (this.#wrote && !tags.includes('ROLLBACK')) counts.commits += 1
    if (this.#changedTables) shared.forget()
    this.#changedTables = false
    this.#wrote = false
  }

  #answerOwn(request: Request, own: OwnStatement): Buffer {
    const { answer, refused } = request.parse()
    if (refused !== null) return this.#refuse(request, answer, refused)
    const result = this.#status === 'E' ? ABORTED : own.answer(this.#context(), request.values())
    if ('code' in result) return this.#refuse(request, answer, errorResponse(result))
    const tag = own.tag === 'SELECT' ? `SELECT ${result.length}` : own.tag
    this.#report(request, { tags: [tag] })
    const rows = Buffer.concat([...result.map(dataRow), backend('C', tag)])
    return Buffer.concat([...answer, ...request.answerOwn(own, rows), ready(this.#status)])
  }

  #context() {
    return { owner: this, locks: this.#server.locks, settings: this.settings }
  }

  #deliver(answer: Buffer): void {
    if (this.#ended) return
    this.#line.send(answer)
    this.#current = null
    this.#giveBackTurn()
    this.#next()
  }

  #giveBackTurn(): void {
    if (this.#status === 'I') this.#server.turns.giveBack(ENGINE, this)
  }

  /** A refusal of the model's own fails the transaction, as one of the engine's does. */
  #abort(): void {
    this.#status = outcomeOf(this.#server.engine.run(simpleQuery('select 1 / 0'))).status
  }

  #rollBack(): void {
    if (this.#status !== 'I') this.#server.engine.run(simpleQuery('rollback'))
    if (this.#changedTables) this.#server.shared.forget()
    this.#status = 'I'
    this.#wrote = false
    this.#changedTables = false
  }

  #end(): void {
    this.#ended = true
    this.#stopWaiting()
    this.#rollBack()
    this.#server.sessions.delete(this)
    this.#server.locks.giveBackAll(this)
    this.#server.turns.giveBackAll(this)
  }

  #report(request: Request, seen: { tags?: readonly string[]; code?: string | null; answered?: boolean }): void {
    const { counts, onStatement } = this.#server
    const { statement } = request
    if (statement === null) return
    counts.statements += 1
    const { pid, applicationName } = this
    const { tags = [], code = null, answered = true } = seen
    onStatement?.({
      pid,
      applicationName,
      text: statement.text,
      // An account's writes bind thousands of characters, and hardly anybody looks.
      get values() {
        return request.values()
      },
      tags,
      code,
      answered,
    })
  }

  #startWaiting(): void {
    this.#waits = true
    this.#after(this.settings.time('statement_timeout'), () => this.cancel(STATEMENT_TIMEOUT))
  }

  #stopWaiting(): void {
    this.#waits = false
    for (const stop of this.#stops.splice(0)) stop()
  }

  /** Never when `ms` is 0. */
  #after(ms: number, run: () => void): void {
    if (ms === 0) return
    const timer = setTimeout(run, ms)
    this.#stops.push(() => clearTimeout(timer))
  }
}
