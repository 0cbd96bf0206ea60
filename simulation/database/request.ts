import { rowDescription } from './backend.ts'
import { FieldReader, type Message, simpleQuery, type Value } from './frontend.ts'
import { type OwnStatement, ownStatementOf } from './own-statements.ts'
import { ExtendedQuery, type SessionStatements } from './prepared.ts'
import { type Statement, statementOf } from './statement.ts'

/** What a client waits for one answer to: a text, or everything up to a Sync. */
export interface Request {
  /** Null: nothing is carried out, only prepared or described. */
  readonly statement: Statement | null
  /** How the model answers it itself. */
  readonly own: OwnStatement | null
  values(): Value[]
  parse(): { readonly answer: Buffer[]; readonly refused: Buffer | null }
  forEngine(): Buffer
  /** What surrounds the rows of a statement of the model's own. */
  answerOwn(own: OwnStatement, rows: Buffer): Buffer[]
}

export function simpleRequest({ body }: Message): Request {
  const text = new FieldReader(body).text()
  const statement = statementOf(text)
  return {
    statement,
    own: ownOf(statement),
    values: () => [],
    parse: () => ({ answer: [], refused: null }),
    forEngine: () => simpleQuery(text),
    answerOwn: ({ columns }, rows) => (columns.length === 0 ? [rows] : [rowDescription(columns), rows]),
  }
}

export function extendedRequest(messages: readonly Message[], statements: SessionStatements): Request {
  const query = new ExtendedQuery(messages, statements)
  const statement = query.executed()
  return {
    statement,
    own: statement === null ? null : ownOf(statement),
    values: () => query.values(),
    parse: () => query.parse(),
    forEngine: () => query.forEngine(),
    answerOwn: (own, rows) => query.answerOwn(own, rows),
  }
}

/** What the model cannot answer rightly is refused at its turn. */
function ownOf(statement: Statement): OwnStatement | null {
  const own = ownStatementOf(statement)
  if (own === null || !('code' in own)) return own
  return { columns: [], parameters: [], tag: '', answer: () => own }
}
