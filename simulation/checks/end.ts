import { disagreements, readBook, readTruth } from '@digger/trials/agreement'
import type { OrderRow } from '@digger/database'
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
    const book = await readBook(db, person.userId)
    const late = new Set(
      book.orders.flatMap((row) => (mayStillArrive(stage, row) ? [`order ${row.id} is unknown without a number`] : [])),
    )
    const differences = disagreements(book, readTruth(stage.sim, person.account, cash)).filter(
      (text) => !late.has(text),
    )
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

/** A lost process' kernel may deliver its orders for some time yet (decision 018): until then they have no verdict. */
const mayStillArrive = ({ world }: Stage, { status, absent_from: absentFrom }: OrderRow): boolean =>
  status === 'unknown' && absentFrom !== null && absentFrom > world.epoch + world.now - LOOKS_MS
