/** What a text asks for, decided once for each text. */
export interface Statement {
  readonly text: string
  /** On one line, without comments; for comparing with what the model answers itself. */
  readonly plain: string
  /**
   * `other`: touches no table (begin, rollback, set, show, select 1). What both reads and writes is a write, and so is
   * a read that locks rows.
   */
  readonly kind: 'read' | 'write' | 'commit' | 'other'
  /** Prepared statements from before may no longer fit the tables. */
  readonly changesTables: boolean
}

const WRITES = /\b(insert\s+into|update|delete\s+from|merge\s+into|setval|nextval)\b/
const LOCKS_ROWS = /\bfor\s+(no\s+key\s+update|update|key\s+share|share)\b/
const CHANGES_TABLES = /^(create|alter|drop|truncate|reindex|cluster|vacuum|grant|revoke|comment|copy|do|call)\b/
const COMMITS = /^(commit|end)\b/
const TOUCHES_NO_TABLE =
  /^(begin|start\s+transaction|rollback|abort|savepoint|release|set|reset|show|discard|deallocate|checkpoint|close)\b/

const known = new Map<string, Statement>()

export function statementOf(text: string): Statement {
  const found = known.get(text)
  if (found !== undefined) return found
  const statement = judge(text)
  known.set(text, statement)
  return statement
}

function judge(text: string): Statement {
  const code = withoutTexts(text)
  const parts = code
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const kinds = new Set(parts.map(kindOf))
  const kind = (['write', 'commit', 'read'] as const).find((one) => kinds.has(one)) ?? 'other'
  return { text, plain: plainOf(text), kind, changesTables: parts.some((part) => CHANGES_TABLES.test(part)) }
}

function kindOf(part: string): Statement['kind'] {
  if (COMMITS.test(part)) return 'commit'
  if (TOUCHES_NO_TABLE.test(part)) return 'other'
  if (WRITES.test(part) || LOCKS_ROWS.test(part) || CHANGES_TABLES.test(part)) return 'write'
  if (/^lock\b/.test(part)) return 'write'
  return /\bfrom\b|^(fetch|table|declare|explain)\b/.test(part) ? 'read' : 'other'
}

const withoutComments = (text: string): string => text.replaceAll(/--[^\n]*|\/\*[\s\S]*?\*\//g, ' ')

/** Without comments, texts, quoted names and bodies of functions: only key words and plain names are left. */
const withoutTexts = (text: string): string =>
  withoutComments(text.replaceAll(/(\$\w*\$)[\s\S]*?\1/g, "''"))
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .replaceAll(/"(?:[^"]|"")*"/g, 'name')
    .toLowerCase()

const plainOf = (text: string): string =>
  withoutComments(text)
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s;]+$/, '')
    .trim()
