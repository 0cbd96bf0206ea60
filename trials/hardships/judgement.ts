import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Truth } from '../agreement/agreement.ts'
import { audit } from '../crash/audit.ts'
import type { Person } from '../crash/person.ts'
import { CASH_WON, type Stage } from '../crash/stage.ts'
import { verifyAll } from '@digger/app'

/** As `Stage.audit`, with the broker's truth less (or plus) what the fault itself did behind everyone's back. */
export async function auditAmended(stage: Stage, amend: (truth: Truth, person: Person) => Truth): Promise<void> {
  await stage.withDatabase(async (db) => {
    for (const person of stage.people) {
      const truth = await stage.broker.truth(person.credentials.accountNumber, CASH_WON)
      stage.problems.push(...(await audit(db, person, amend(truth, person))).problems)
    }
    const { ok, lines } = await verifyAll(db)
    if (!ok) stage.problems.push(...lines)
  })
}

/** Orders of an account as the broker took them, without changes and cancellations. */
export async function ordersOf(stage: Stage, person: Person) {
  const events = await stage.broker.events(person.credentials.accountNumber)
  return events.flatMap((event) => (event.kind === 'accepted' && event.order.change === null ? [event.order] : []))
}

/**
 * The first server was frozen, not dead, and its kernel tries long: what never left counts as absent after sixteen minutes
 * only (decision 018). Until then it has no verdict, which the audit says and the card must say.
 */
const WAITS = /^\S+: order \d+ is unknown without a number$/

/** Removes what the audit says of orders that rightly wait for a verdict still; whether cards name them is checked elsewhere. */
export function ignorePendingVerdicts({ problems }: Stage): void {
  problems.splice(0, problems.length, ...problems.filter((problem) => !WAITS.test(problem)))
}

/** Writes a key that opens every account again without a log-in. */
export function writeMasterKey(folder: string): string {
  const file = join(folder, 'master.key')
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return file
}

/** Polls until the answer is yes; returns how long that took, ms, or null after `ms`. */
export async function timeUntil(ms: number, look: () => Promise<boolean>, everyMs = 250): Promise<number | null> {
  const since = performance.now()
  for (;;) {
    if (await look()) return performance.now() - since
    if (performance.now() - since >= ms) return null
    await delay(everyMs)
  }
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
