/** What the database does wrong. Read at every statement, so that it can be changed at any time; all may be on at once. */
export interface Faults {
  /** SQLSTATE with which statements are refused that only read tables (XX001 data corrupted, 58030 i/o error). */
  reads: string | null
  /** The same for statements that write, and for the commit of a transaction that wrote (53100 disk full). */
  writes: string | null
  /** Writes are refused with 25006, reads work. */
  readOnly: boolean
  /** How late each answer is, ms; asked once for each statement. */
  answerDelay: (() => number) | null
  /** Whether the work is done before that time or after it. */
  delayWhen: 'before' | 'after'
  /** So many of the next writes and commits are carried out, and the connection is cut without an answer. */
  silentCommits: number
  /** So many of the next writes and commits are not carried out, and the connection is cut. */
  lostWrites: number
  /** New connections are refused with 57P03, as while a server starts. */
  refuseConnections: boolean
}

/** How often each struck. */
export type Strikes = Record<keyof Omit<Faults, 'delayWhen'> | 'cuts' | 'stolenLocks', number>

export const noFaults = (): Faults => ({
  reads: null,
  writes: null,
  readOnly: false,
  answerDelay: null,
  delayWhen: 'before',
  silentCommits: 0,
  lostWrites: 0,
  refuseConnections: false,
})

export const noStrikes = (): Strikes => ({
  reads: 0,
  writes: 0,
  readOnly: 0,
  answerDelay: 0,
  silentCommits: 0,
  lostWrites: 0,
  refuseConnections: 0,
  cuts: 0,
  stolenLocks: 0,
})

/** What happens to one statement. */
export type Fate =
  | { readonly kind: 'done' }
  | { readonly kind: 'silent' }
  | { readonly kind: 'lost' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

/** What a statement would do to the tables. */
export interface Intent {
  readonly reads: boolean
  /** It writes, or commits a transaction that wrote. */
  readonly writes: boolean
  /** What it writes is durable when it is done: not one of several statements of a transaction. */
  readonly commits: boolean
}

export function fateOf(faults: Faults, strikes: Strikes, { reads, writes, commits }: Intent): Fate {
  if (commits && faults.lostWrites > 0) {
    faults.lostWrites -= 1
    strikes.lostWrites += 1
    return { kind: 'lost' }
  }
  const code = writes ? faults.writes : reads ? faults.reads : null
  if (code !== null) {
    strikes[writes ? 'writes' : 'reads'] += 1
    return { kind: 'refused', code, message: MESSAGES[code] ?? 'refused by the simulation' }
  }
  if (writes && faults.readOnly) {
    strikes.readOnly += 1
    return { kind: 'refused', code: '25006', message: 'cannot execute this in a read-only transaction' }
  }
  if (commits && faults.silentCommits > 0) {
    faults.silentCommits -= 1
    strikes.silentCommits += 1
    return { kind: 'silent' }
  }
  return { kind: 'done' }
}

const MESSAGES: Readonly<Record<string, string>> = {
  '53100': 'could not extend file: No space left on device',
  '58030': 'could not read file: Input/output error',
  XX001: 'invalid page in block 0 of relation',
}

/** Asked once for each statement. */
export function delayOf(faults: Faults, strikes: Strikes): number {
  const ms = faults.answerDelay?.() ?? 0
  if (ms > 0) strikes.answerDelay += 1
  return ms
}
