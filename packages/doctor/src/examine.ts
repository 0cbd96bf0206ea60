import type { Check } from './check.ts'
import { ACCOUNT_CHECKS } from './checks/account.ts'
import { clockCheck } from './checks/clock.ts'
import { envelopeCheck } from './checks/envelope.ts'
import { fieldsCheck } from './checks/fields.ts'
import { MARKET_CHECKS } from './checks/market.ts'
import type { Examiner } from './examined.ts'
import { type Checked, type Report, wrong } from './finding.ts'

/** The last three look at all replies. */
export const CHECKS: readonly Check[] = [...MARKET_CHECKS, ...ACCOUNT_CHECKS, fieldsCheck, envelopeCheck, clockCheck]

export interface Progress {
  /** How many of the checks are done. */
  readonly done: number
  readonly total: number
  /** The check that runs, for people; null: all are done. */
  readonly running: string | null
}

/** One check after the other, each with its findings. Only reads. */
export async function examine(
  examiner: Examiner,
  report: (progress: Progress, checked: readonly Checked[]) => void | Promise<void> = () => undefined,
  checks: readonly Check[] = CHECKS,
): Promise<Report> {
  const { now, rest } = examiner.subject
  const at = now()
  const checked: Checked[] = []
  for (const [done, check] of checks.entries()) {
    await report({ done, total: checks.length, running: check.name }, checked)
    checked.push({ key: check.key, name: check.name, findings: await findingsOf(check, examiner) })
  }
  await report({ done: checks.length, total: checks.length, running: null }, checked)
  return { at, env: rest.env, checks: checked }
}

/** A check that fails by itself must not hide the others. */
async function findingsOf(check: Check, examiner: Examiner): Promise<Checked['findings']> {
  try {
    return await check.run(examiner)
  } catch (error) {
    return [
      wrong(`점검하지 못했습니다: ${error instanceof Error ? error.message : String(error)}`, { source: check.source }),
    ]
  }
}
