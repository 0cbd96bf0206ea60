import { OutcomeUnknown } from '@digger/contract'
import type { FastifyBaseLogger } from 'fastify'
import { type Db, isNotConnected } from '@digger/database'
import { type AuditEntry, beginAudit, endAudit, writeAudit } from '@digger/identity'
import { OutcomeUnknownError } from '@digger/kis'
import { problemOf } from './problem.ts'

/**
 * The line of one action in an account's log. `end` writes what came of it, or null for what never became an action. It
 * never throws: the action is done, and whoever asked for it has to get that reply.
 */
export interface AuditLine {
  readonly end: (detail: string | null) => Promise<void>
}

export interface AuditDeps {
  readonly db: Db
  readonly log: Pick<FastifyBaseLogger, 'error'>
}

/** Writes that the action is asked for. Throws where nothing can be written: then nothing is to be done either. */
export async function beginLine(deps: AuditDeps, entry: AuditEntry): Promise<AuditLine> {
  const askedId = await beginAudit(deps.db, entry)
  return { end: (detail) => orLog(deps, entry, endAudit(deps.db, askedId, entry, detail)) }
}

/** For an action that takes risk away, which waits for no row: the line is written whole, after it. */
export const lineAtEnd = (deps: AuditDeps, entry: AuditEntry): AuditLine => ({
  end: async (detail) => {
    if (detail !== null) await orLog(deps, entry, writeAudit(deps.db, { ...entry, detail }))
  },
})

const orLog = ({ log }: AuditDeps, { action, user_id }: AuditEntry, written: Promise<void>): Promise<void> =>
  written.catch((error: unknown) =>
    log.error({ err: error, userId: user_id, action }, 'the outcome is missing in the audit'),
  )

/** What the line of a failed action says: an order that may have gone was not refused. */
export function failureDetail(error: unknown): string {
  const problem = problemOf(error)
  // What nobody foresaw may come after the action was done.
  if (problem === null) return '결과 불명: 서버 오류'
  const isUnknown = error instanceof OutcomeUnknown || error instanceof OutcomeUnknownError || isNotConnected(error)
  return `${isUnknown ? '결과 불명' : '거절'}: ${problem.message}`
}
