import { disagreements } from '@digger/trials/agreement'
import { readBook, readTruth } from '@digger/trials/agreement/book'
import type { Db } from '@digger/database'
import { z } from 'zod'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { verifyAccount } from '../product.ts'
import { ACCOUNTS } from '../template.ts'
import { Violation } from './violation.ts'

const CASH = 100_000_000
/** What is under way in the instant of a look is done at the next; so many looks, so far apart, ms. */
const LOOKS = 3
const LOOK_INTERVAL_MS = 8_000

/** At the end of a run the book is what the exchange has, to the share and the won, and the journal makes it again. */
export async function checkBooks(stage: Stage, people: readonly Person[]): Promise<void> {
  const server = stage.running(stage.active)?.server
  if (server === null || server === undefined) throw new Violation('a server runs', 'none at the end')
  const { db } = server.database
  for (const person of people) {
    const cash = ACCOUNTS[person.index]?.cash ?? CASH
    let differences = await differencesOf(stage, db, person, cash)
    for (let look = 1; differences.length > 0 && look < LOOKS; look++) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_INTERVAL_MS))
      differences = await differencesOf(stage, db, person, cash)
    }
    if (differences.length > 0)
      throw new Violation('book and broker agree', `${person.email}: ${differences.join('; ')}`)
    const journal = await verifyAccount(db, person.userId)
    if (journal.differences.length > 0)
      throw new Violation('the journal makes the book', `${person.email}: ${journal.differences.join('; ')}`)
  }
  const troubles = stage.vitals()?.troubles ?? []
  if (troubles.length > 0)
    throw new Violation('well at the end', troubles.map(({ code, text }) => `${code}: ${text}`).join('; '))
}

async function differencesOf(stage: Stage, db: Db, person: Person, cash: number): Promise<string[]> {
  const waiting = new Set(stillWaiting(stage, person))
  const found = disagreements(await readBook(db, person.userId), readTruth(stage.sim, person.account, cash))
  return found.filter((difference) => !waiting.has(difference))
}

/** After a take-over from a frozen server an order without a reply is looked for until no kernel can deliver it any more. */
function stillWaiting(stage: Stage, { userId }: Person): string[] {
  const now = stage.simulation.epoch + stage.simulation.now
  const found = stage.database.query(
    `select id::int as id from account_order where user_id = $1 and status = 'unknown' and absent_from > $2`,
    [userId, Math.round(now)],
  )
  const rows = z.array(z.object({ id: z.number() })).parse(found)
  return rows.map(({ id }) => `order ${id} is unknown without a number`)
}
