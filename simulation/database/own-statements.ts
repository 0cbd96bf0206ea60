import type { Column, Refusal } from './backend.ts'
import type { Value } from './frontend.ts'
import type { LockMode, LockOwner, Locks } from './locks.ts'
import type { Settings } from './settings.ts'
import type { Statement } from './statement.ts'

const BOOL = { type: 16, size: 1 }
const INT4 = { type: 23, size: 4 }
const INT8 = { type: 20, size: 8 }
const TEXT = { type: 25, size: -1 }
const VOID = { type: 2278, size: 4 }

/** What a statement needs to know of the session that sent it. */
export interface OwnContext {
  readonly owner: LockOwner
  readonly locks: Locks
  readonly settings: Settings
}

type Rows = readonly (readonly (string | null)[])[]

/** A statement that the model answers itself: about sessions, of which the engine knows one only, or asked all the time. */
export interface OwnStatement {
  /** None: it answers no rows, as `set` does. */
  readonly columns: readonly Column[]
  /** Types of its parameters in PostgreSQL's catalogue. */
  readonly parameters: readonly number[]
  readonly tag: string
  /** The lock it has to wait for, and for how long at most, ms (0: for ever). */
  lock?(context: OwnContext, values: readonly Value[]): { key: string; timeoutMs: number; mode?: LockMode }
  answer(context: OwnContext, values: readonly Value[]): Rows | Refusal
}

const one = (column: Column, value: string): Pick<OwnStatement, 'columns' | 'parameters' | 'tag' | 'answer'> => ({
  columns: [column],
  parameters: [],
  tag: 'SELECT 1',
  answer: () => [[value]],
})

/** Null: the engine answers it. Refused is what would need more of the model than it has. */
export function ownStatementOf({ plain }: Statement): OwnStatement | Refusal | null {
  if (/^select 1$/i.test(plain)) return one({ name: '?column?', ...INT4 }, '1')
  for (const [pattern, make] of KNOWN) {
    const match = pattern.exec(plain)
    if (match !== null) return make(match)
  }
  return BEYOND.test(plain) ? { code: '0A000', message: `the model of the database does not know: ${plain}` } : null
}

/** What the one session of the engine would answer wrongly, or what would change it for all sessions of the model. */
const BEYOND =
  /\b(?:pg_\w*advisory\w*|pg_locks|pg_stat_activity|pg_terminate_backend|pg_cancel_backend|pg_backend_pid)\b|^(?:set(?! local| constraints| transaction)|reset|discard|deallocate|prepare|execute|listen|notify|copy)\b/i

type Make = (match: RegExpExecArray) => OwnStatement | Refusal

const KNOWN: readonly (readonly [RegExp, Make])[] = [
  [
    /^select pg_try_advisory_lock\((\$1|-?\d+)\)(?: as (\w+))?$/i,
    ([, key = '', name = 'pg_try_advisory_lock']) => tryLock(key, name),
  ],
  [
    /^select pg_advisory_lock\((\$1|-?\d+)\)(?: as (\w+))?$/i,
    ([, key = '', name = 'pg_advisory_lock']) => lock(key, name, null),
  ],
  [
    /^select pg_advisory_unlock\((\$1|-?\d+)\)(?: as (\w+))?$/i,
    ([, key = '', name = 'pg_advisory_unlock']) => unlock(key, name),
  ],
  [
    // As a worker asks: the lock of the one server shared, and its own.
    /^select pg_try_advisory_lock_shared\(\$1\) as (\w+), pg_try_advisory_lock\(\$2, \$3\) as (\w+)$/i,
    ([, shared = '', own = '']) => tryWorkerLocks(shared, own),
  ],
  [/^select pg_advisory_lock_shared\(\$1, \$2\)$/i, () => SHARED_LOCK],
  [
    // As the migrator of Kysely asks.
    /^with set_timeout as \( select set_config\('lock_timeout', '(\d+)', true\) as config_val \) select pg_advisory_lock\((\d+)\) from set_timeout$/i,
    ([, timeout = '0', key = '']) => lock(key, 'pg_advisory_lock', Number(timeout)),
  ],
  [
    /^select a\.application_name from pg_locks l join pg_stat_activity a using \(pid\) where l\.locktype = 'advisory' and l\.objid = \$1 and l\.granted$/i,
    () => HOLDER_OF_LOCK,
  ],
  [/^select pg_backend_pid\(\)(?: as (\w+))?$/i, ([, name = 'pg_backend_pid']) => backendPid(name)],
  [/^set (?:session )?(\w+) (?:=|to) '?([^']*?)'?$/i, ([, name = '', value = '']) => set(name, value)],
  [/^reset (\w+)$/i, ([, name = '']) => reset(name)],
  [/^show (application_name|client_min_messages|\w+_timeout|tcp_\w+)$/i, ([, name = '']) => show(name)],
]

const keyOf = (key: string, values: readonly Value[]): string => (key === '$1' ? String(values[0] ?? '') : key)
const parametersOf = (key: string): number[] => (key === '$1' ? [INT8.type] : [])

const tryLock = (key: string, name: string): OwnStatement => ({
  columns: [{ name, ...BOOL }],
  parameters: parametersOf(key),
  tag: 'SELECT 1',
  answer: ({ locks, owner }, values) => [[locks.tryTake(keyOf(key, values), owner) ? 't' : 'f']],
})

const lock = (key: string, name: string, timeoutMs: number | null): OwnStatement => ({
  columns: [{ name, ...VOID }],
  parameters: parametersOf(key),
  tag: 'SELECT 1',
  lock: ({ settings }, values) => ({
    key: keyOf(key, values),
    timeoutMs: timeoutMs ?? settings.time('lock_timeout'),
  }),
  answer: () => [['']],
})

const pairOf = (...numbers: readonly (Value | undefined)[]): string => numbers.map(String).join(',')

const tryWorkerLocks = (shared: string, own: string): OwnStatement => ({
  columns: [
    { name: shared, ...BOOL },
    { name: own, ...BOOL },
  ],
  parameters: [INT8.type, INT4.type, INT4.type],
  tag: 'SELECT 1',
  answer({ locks, owner }, [one, first, second]) {
    const taken = [locks.tryTake(String(one), owner, 'shared'), locks.tryTake(pairOf(first, second), owner)]
    return [taken.map((is) => (is ? 't' : 'f'))]
  },
})

const SHARED_LOCK: OwnStatement = {
  columns: [{ name: 'pg_advisory_lock_shared', ...VOID }],
  parameters: [INT4.type, INT4.type],
  tag: 'SELECT 1',
  lock: ({ settings }, [first, second]) => ({
    key: pairOf(first, second),
    mode: 'shared',
    timeoutMs: settings.time('lock_timeout'),
  }),
  answer: () => [['']],
}

const unlock = (key: string, name: string): OwnStatement => ({
  columns: [{ name, ...BOOL }],
  parameters: parametersOf(key),
  tag: 'SELECT 1',
  answer: ({ locks, owner }, values) => [[locks.giveBack(keyOf(key, values), owner) ? 't' : 'f']],
})

/** `objid` is the lower half of a key, or the second number of two. */
const HOLDER_OF_LOCK: OwnStatement = {
  columns: [{ name: 'application_name', ...TEXT }],
  parameters: [26],
  tag: 'SELECT',
  answer: ({ locks }, [asked]) =>
    locks
      .all()
      .filter(({ key }) => String(BigInt.asUintN(32, BigInt(key.split(',').at(-1) ?? ''))) === asked)
      .map(({ owner }) => [owner.applicationName]),
}

const backendPid = (name: string): OwnStatement => ({
  ...one({ name, ...INT4 }, ''),
  answer: ({ owner }) => [[String(owner.pid)]],
})

const done = (tag: string, run: (settings: Settings) => void): OwnStatement => ({
  columns: [],
  parameters: [],
  tag,
  answer: ({ settings }) => {
    run(settings)
    return []
  },
})

function set(name: string, value: string): OwnStatement | Refusal {
  return KEPT.test(name) ? done('SET', (settings) => settings.set(name, value)) : unknownSetting(name)
}

function reset(name: string): OwnStatement | Refusal {
  return KEPT.test(name) ? done('RESET', (settings) => settings.reset(name)) : unknownSetting(name)
}

function show(name: string): OwnStatement {
  return { ...one({ name, ...TEXT }, ''), tag: 'SHOW', answer: ({ settings }) => [[settings.shown(name)]] }
}

const KEPT = /^(?:application_name|client_min_messages|\w+_timeout|tcp_\w+)$/i
const unknownSetting = (name: string): Refusal => ({
  code: '0A000',
  message: `the model of the database keeps no setting ${name} for each session`,
})
