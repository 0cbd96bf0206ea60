import type { Db } from '@digger/database'
import { verifyAccount } from '@digger/storage'
import { listUsers } from '@digger/identity'
import { endWithMessage, printReport, type Report } from './report.ts'

/** So many differences of one account are shown; the rest is only counted. */
const MAX_SHOWN = 10

/** Rebuilds every account from its journal and compares it with the tables. Changes nothing. */
export async function verifyAll(db: Db): Promise<Report> {
  const lines: string[] = []
  let ok = true
  for (const { id, email } of await listUsers(db)) {
    const { facts, differences } = await verifyAccount(db, id).catch((error: unknown) => ({
      facts: 0,
      differences: [error instanceof Error ? error.message : String(error)],
    }))
    if (differences.length === 0) {
      lines.push(`${email}: 기록 ${facts}건과 장부가 같습니다.`)
      continue
    }
    ok = false
    lines.push(`${email}: 기록 ${facts}건과 장부가 ${differences.length}곳에서 다릅니다.`)
    lines.push(...differences.slice(0, MAX_SHOWN).map((difference) => `  ${difference}`))
  }
  return { ok, lines: lines.length === 0 ? ['사용자가 없습니다.'] : lines }
}

if (import.meta.main) printReport(verifyAll).catch(endWithMessage)
