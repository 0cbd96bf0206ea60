import { disagreements, readBook, readTruth } from '@digger/trials/agreement'
import { z } from 'zod'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { verifyAccount } from '../product.ts'
import { ACCOUNTS } from '../template.ts'
import { Violation } from './violation.ts'

const CASH = 100_000_000
/** Two complete lists that were asked after it settle an order, ms. */
const LOOKS_MS = 60_000

/** At the end of a run the book is what the exchange has, to the share and the won, and the journal makes it again. */
export async function checkBooks(stage: Stage, people: readonly Person[]): Promise<void> {
  const server = stage.running(stage.active)?.server
  if (server === null || server === undefined) throw new Violation('a server runs', 'none at the end')
  const { db } = server.database
  for (const person of people) {
    const cash = ACCOUNTS[person.index]?.cash ?? CASH
    const waiting = new Set(stillWaiting(stage, person))
    const found = disagreements(await readBook(db, person.userId), readTruth(stage.sim, person.account, cash))
    const differences = found.filter((difference) => !waiting.has(difference))
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

/** After a take-over from a frozen server an order without a reply is looked for until no kernel can deliver it any more. */
function stillWaiting(stage: Stage, { userId }: Person): string[] {
  const now = stage.world.epoch + stage.world.now
  const found = stage.database.query(
    `select id::int as id from account_order where user_id = $1 and status = 'unknown' and absent_from > $2`,
    [userId, Math.round(now)],
  )
  const rows = z.array(z.object({ id: z.number() })).parse(found)
  return rows.map(({ id }) => `order ${id} is unknown without a number`)
}
