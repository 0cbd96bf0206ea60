import { verifyAll } from '@digger/app'
import type { Truth } from '../agreement/agreement.ts'
import { audit } from '../crash/audit.ts'
import type { Person } from '../crash/person.ts'
import { CASH_WON, type Stage } from '../crash/stage.ts'

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

/**
 * The first server was frozen, not dead, and its kernel tries long: what never left counts as absent after sixteen minutes
 * only (decision 018). Until then it has no verdict, which the audit says and the card must say.
 */
const WAITS = /^\S+: order \d+ is unknown without a number$/

/** Removes what the audit says of orders that rightly wait for a verdict still; whether cards name them is checked elsewhere. */
export function ignorePendingVerdicts({ problems }: Stage): void {
  problems.splice(0, problems.length, ...problems.filter((problem) => !WAITS.test(problem)))
}
