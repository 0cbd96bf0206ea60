import { disagreements } from '@digger/trials/agreement'
import { readBook, readTruth } from '@digger/trials/agreement/book'
import type { Db, OrderRow } from '@digger/database'
import type { SimOrder } from '@digger/kis-sim'
import { z } from 'zod'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { verifyAccount } from '../product.ts'
import { ACCOUNTS } from '../template.ts'
import { lookAgain } from './look-again.ts'
import type { Noticed } from './noticed.ts'
import type { Rehearsals } from './rehearsals.ts'
import { isPhantom, type Strays } from './strays.ts'
import { Violation } from '../violation.ts'

const CASH = 100_000_000
/** Between two looks at the books, ms. */
const LOOK_INTERVAL_MS = 8_000

/** At the end of a run the book is what the exchange has, to the share and the won, and the journal makes it again. */
export async function checkBooks(
  stage: Stage,
  people: readonly Person[],
  { strays, noticed, rehearsals }: { strays: Strays; noticed: Noticed; rehearsals: Rehearsals },
): Promise<void> {
  const server = stage.running(stage.active)?.server
  if (server === null || server === undefined) throw new Violation('a server runs', 'none at the end')
  const { db } = server.database
  for (const person of people) {
    const unsettled = [...(await noticed.checkEnd(person))]
    const differences = await lookAgain(LOOK_INTERVAL_MS, async () =>
      (await differencesOf(stage, db, person, strays)).filter(
        (difference) => !unsettled.some((code) => difference.startsWith(`${code}: `)),
      ),
    )
    if (differences.length > 0)
      throw new Violation('book and broker agree', `${person.email}: ${differences.join('; ')}`)
    const journal = await verifyAccount(db, person.userId)
    if (journal.differences.length > 0)
      throw new Violation('the journal makes the book', `${person.email}: ${journal.differences.join('; ')}`)
    await rehearsals.checkEnd(person, db)
  }
  const troubles = stage.vitals()?.troubles ?? []
  if (troubles.length > 0)
    throw new Violation('well at the end', troubles.map(({ code, text }) => `${code}: ${text}`).join('; '))
}

async function differencesOf(stage: Stage, db: Db, person: Person, strays: Strays): Promise<string[]> {
  const waiting = new Set(stillWaiting(stage, person))
  const book = await readBook(db, person.userId)
  const foreign = strays.of(person)
  const orders = [...book.orders.map(withoutPhantom), ...foreign.map((order) => rowOf(order, book.orders))]
  const truth = readTruth(stage.sim, person.account, ACCOUNTS[person.index]?.cash ?? CASH)
  const found = disagreements({ ...book, orders }, truth, new Set(foreign.map(({ code }) => code)))
  return found.filter((difference) => !waiting.has(difference))
}

/** The broker gave a number and had no such order: it may stand in a row that ended and booked nothing. */
const withoutPhantom = (row: OrderRow): OrderRow => (isPhantom(row.odno) ? { ...row, odno: null } : row)

/** What the exchange did with an order that is none of the book's: its cash counts, its shares a person has set right. */
function rowOf({ odno, code, side, filledCount, filledAmount }: SimOrder, rows: readonly OrderRow[]): OrderRow {
  const like = rows.find((row) => row.code === code && row.side === side)
  if (like === undefined) throw new Error(`the network made ${odno} of no ${side} of ${code}`)
  return {
    ...like,
    id: -Number(odno),
    odno,
    status: 'cancelled',
    live: false,
    filled_count: filledCount,
    filled_amount: filledAmount,
  }
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
