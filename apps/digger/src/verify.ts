import type { Db } from '@digger/database'
import { listUsers } from '@digger/identity'
import { verifyShadow } from '@digger/shadow'
import { verifyAccount } from '@digger/storage'
import { endWithMessage, printReport, type Report } from './report.ts'

/** So many differences of one account are shown; the rest is only counted. */
const MAX_SHOWN = 10

/** Rebuilds every account from its journal and compares it with the tables; replays its rehearsal. Changes nothing. */
export async function verifyAll(db: Db): Promise<Report> {
  const reports: Report[] = []
  for (const { id, email } of await listUsers(db))
    reports.push(await real(db, id, email), await rehearsed(db, id, email))
  const lines = reports.flatMap((report) => report.lines)
  return { ok: reports.every(({ ok }) => ok), lines: lines.length === 0 ? ['사용자가 없습니다.'] : lines }
}

async function real(db: Db, userId: string, email: string): Promise<Report> {
  const { facts, differences } = await verifyAccount(db, userId).catch((error: unknown) => ({
    facts: 0,
    differences: [messageOf(error)],
  }))
  if (differences.length === 0) return { ok: true, lines: [`${email}: 기록 ${facts}건과 장부가 같습니다.`] }
  const first = `${email}: 기록 ${facts}건과 장부가 ${differences.length}곳에서 다릅니다.`
  return { ok: false, lines: [first, ...shown(differences)] }
}

/** Nothing is said of an account that never rehearsed. */
async function rehearsed(db: Db, userId: string, email: string): Promise<Report> {
  const { facts, problems } = await verifyShadow(db, userId).catch((error: unknown) => ({
    facts: 0,
    problems: [messageOf(error)],
  }))
  if (problems.length > 0) {
    const first = `${email}: 그림자(연습) 기록 ${facts}건까지 다시 읽었고, ${problems.length}곳이 읽히지 않거나 앞의 기록과 맞지 않습니다.`
    return { ok: false, lines: [first, ...shown(problems)] }
  }
  return { ok: true, lines: facts === 0 ? [] : [`${email}: 그림자(연습) 기록 ${facts}건이 앞뒤가 맞습니다.`] }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const shown = (found: readonly string[]): string[] => found.slice(0, MAX_SHOWN).map((one) => `  ${one}`)

if (import.meta.main) printReport(verifyAll).catch(endWithMessage)
