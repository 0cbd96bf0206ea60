import {
  backend,
  BIND_COMPLETE,
  errorResponse,
  int16,
  int32,
  messagesOf,
  PARSE_COMPLETE,
  rowDescription,
} from './backend.ts'
import type { SqlEngine } from './engine.ts'
import { boundValues, FieldReader, frontend, type Message, SYNC, type Value } from './frontend.ts'
import { type OwnStatement, ownStatementOf } from './own-statements.ts'
import { type Statement, statementOf } from './statement.ts'

export interface Prepared {
  readonly statement: Statement
  /** Its name in the engine; empty when the model answers it itself. */
  readonly engineName: string
}

/** Statements that the engine has prepared, one for each text, whichever session asks: preparing costs more than most of them take. */
export class SharedStatements {
  readonly #engine: SqlEngine
  #names = new Map<string, string>()
  #count = 0
  #kept: { readonly names: ReadonlyMap<string, string>; readonly count: number } | null = null

  constructor(engine: SqlEngine) {
    this.#engine = engine
  }

  /** `parse` is what follows the name in the client's message. The answer is the engine's refusal. */
  prepare(text: string, parse: Buffer): { readonly name: string } | { readonly refused: Buffer } {
    const key = parse.toString('latin1')
    const known = this.#names.get(key)
    if (known !== undefined) return { name: known }
    const name = `shared ${++this.#count}`
    const answer = this.#engine.run(
      Buffer.concat([frontend('P', name, text, parse.subarray(parse.indexOf(0) + 1)), SYNC]),
    )
    const refused = [...messagesOf(answer)].find(({ type }) => type === 'E')
    if (refused !== undefined) return { refused: backend('E', refused.body) }
    this.#names.set(key, name)
    return { name }
  }

  /** Tables have changed: what is asked from now on is prepared anew. */
  forget(): void {
    this.#names.clear()
  }

  keep(): void {
    this.#kept = { names: new Map(this.#names), count: this.#count }
  }

  restore(): void {
    this.#names = new Map(this.#kept?.names)
    this.#count = this.#kept?.count ?? 0
  }
}

/** One session's names for prepared statements, and what it bound to them. */
export class SessionStatements {
  readonly #shared: SharedStatements
  readonly #prepared = new Map<string, Prepared>()

  constructor(shared: SharedStatements) {
    this.#shared = shared
  }

  get(name: string): Prepared | undefined {
    return this.#prepared.get(name)
  }

  close(name: string): void {
    this.#prepared.delete(name)
  }

  /** Null when it is prepared; else the refusal as a message. */
  parse(body: Buffer): Buffer | null {
    const reader = new FieldReader(body)
    const name = reader.text()
    const rest = reader.rest()
    const statement = statementOf(reader.text())
    if (name !== '' && this.#prepared.has(name))
      return errorResponse({ code: '42P05', message: `prepared statement "${name}" already exists` })
    const own = ownStatementOf(statement)
    if (own !== null && 'code' in own) return errorResponse(own)
    const made = own === null ? this.#shared.prepare(statement.text, rest) : { name: '' }
    if ('refused' in made) return made.refused
    this.#prepared.set(name, { statement, engineName: made.name })
    return null
  }
}

/** What a client sends up to its Sync: as a rule one statement, parsed, bound, described and executed. */
export class ExtendedQuery {
  readonly #messages: readonly Message[]
  readonly #statements: SessionStatements

  constructor(messages: readonly Message[], statements: SessionStatements) {
    this.#messages = messages
    this.#statements = statements
  }

  /** The statement that is executed, also before it was parsed. Null when nothing is executed. */
  executed(): Statement | null {
    if (!this.#messages.some(({ type }) => type === 'E')) return null
    const name = this.#boundName()
    const parsed = this.#messages.find(({ type, body }) => type === 'P' && new FieldReader(body).text() === name)
    if (parsed === undefined) return this.#statements.get(name)?.statement ?? null
    const reader = new FieldReader(parsed.body)
    reader.text()
    return statementOf(reader.text())
  }

  values(): Value[] {
    const bind = this.#messages.find(({ type }) => type === 'B')
    return bind === undefined ? [] : boundValues(bind.body)
  }

  /** Parses what is to be parsed. The refusal is null when all went well. */
  parse(): { readonly answer: Buffer[]; readonly refused: Buffer | null } {
    const answer: Buffer[] = []
    for (const { type, body } of this.#messages) {
      if (type !== 'P') continue
      const refused = this.#statements.parse(body)
      if (refused !== null) return { answer, refused }
      answer.push(PARSE_COMPLETE)
    }
    return { answer, refused: null }
  }

  /** The messages after parsing, with the engine's names of the statements. */
  forEngine(): Buffer {
    const messages = this.#messages.flatMap(({ type, body }) => {
      if (type === 'P') return []
      const reader = new FieldReader(body)
      if (type === 'B') return [frontend('B', reader.text(), this.#engineName(reader.text()), reader.rest())]
      if (type === 'E' || body[0] === PORTAL) return [frontend(type, body)]
      reader.bytes(1)
      const name = reader.text()
      if (type === 'C') this.#statements.close(name)
      return [frontend(type, Buffer.from('S'), type === 'C' ? NO_STATEMENT : this.#engineName(name))]
    })
    return Buffer.concat([...messages, SYNC])
  }

  /** What surrounds the rows of a statement of the model's own. */
  answerOwn(own: OwnStatement, rows: Buffer): Buffer[] {
    return this.#messages.flatMap(({ type, body }) => {
      if (type === 'B') return [BIND_COMPLETE]
      if (type === 'E') return [rows]
      if (type === 'C') return [backend('3')]
      if (type !== 'D') return []
      const columns = own.columns.length === 0 ? backend('n') : rowDescription(own.columns)
      if (body[0] === PORTAL) return [columns]
      return [backend('t', int16(own.parameters.length), int32(...own.parameters)), columns]
    })
  }

  #boundName(): string {
    const bind = this.#messages.find(({ type }) => type === 'B')
    if (bind === undefined) return ''
    const reader = new FieldReader(bind.body)
    reader.text()
    return reader.text()
  }

  /** Of an unknown one its own name, which the engine refuses in the words of PostgreSQL. */
  #engineName(name: string): string {
    return this.#statements.get(name)?.engineName ?? name
  }
}

const PORTAL = 'P'.charCodeAt(0)
/** Closing a statement that is not there is no error; the shared one stays for the next session. */
const NO_STATEMENT = 'closed'
