import { kstDay } from '@digger/core'
import type { Db } from '@digger/database'
import { type AuditAction, auditActions, type AuditLine, failedLogins } from '@digger/identity'
import { timeText } from '../korean-time.ts'
import { type Days, inPages, isWithin, PAGE_ROWS } from '../pages.ts'
import type { Column } from '../table.ts'

/** The log of the account as its page shows it, newest line first. `now`: what has no outcome yet may be under way. */
export async function* auditOf(db: Db, userId: string, days: Days, now: number): AsyncGenerator<AuditLine[]> {
  const isAsked = ({ at }: AuditLine): boolean => isWithin(kstDay(at), days)
  // An hour has one, and a year of them is stored at most.
  const failures: AuditLine[] = []
  for await (const page of inPages<AuditLine>((after) => failedLogins(db, userId, after?.at ?? null, PAGE_ROWS)))
    failures.push(...page.filter(isAsked))
  const pages = inPages<AuditAction>((after) =>
    auditActions(db, userId, { beforeId: after?.id ?? null, before: null, limit: PAGE_ROWS, now }),
  )
  for await (const page of pages) {
    const oldest = page.at(-1)?.at ?? now
    const later = failures.findIndex(({ at }) => at < oldest)
    const between = failures.splice(0, later < 0 ? failures.length : later)
    yield [...page.filter(isAsked), ...between].sort((a, b) => b.at - a.at)
  }
  yield failures
}

export const AUDIT_COLUMNS: readonly Column<AuditLine>[] = [
  { heading: '시각', cell: ({ at }) => timeText(at) },
  { heading: '누가', cell: (line) => line.by_email },
  { heading: '무엇을', cell: ({ action }) => action },
  { heading: '내용', cell: ({ detail }) => detail },
]
