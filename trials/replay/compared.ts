import { verifyAccount } from '@digger/storage'
import type { Sim } from '@digger/kis-sim'
import type { DiggerServer } from '@digger/server'
import { disagreements, type Book, type Truth } from '../agreement/agreement.ts'
import { bookedLate } from '../agreement/booked-late.ts'
import { readBook, readTruth } from '../agreement/book.ts'

/** A fill is booked within five seconds and the second between two readings, in the market's time, ms. */
const MAX_BOOKING_MS = 6_000

/** The tables against the broker's truth, and against the journal. */
export async function compared(
  { database: { db } }: DiggerServer,
  userId: string,
  broker: { readonly sim: Sim; readonly account: string; readonly cash: number },
): Promise<{ readonly book: Book; readonly truth: Truth; readonly problems: readonly string[] }> {
  const truth = readTruth(broker.sim, broker.account, broker.cash)
  const book = await readBook(db, userId)
  const { differences } = await verifyAccount(db, userId)
  const late = await bookedLate(db, userId, truth.events, MAX_BOOKING_MS)
  return { book, truth, problems: [...disagreements(book, truth), ...differences, ...late] }
}
