import type { Book, Fact } from '@digger/core'
import type { Db } from '@digger/database'
import { shadowFacts } from './journal.ts'
import { EMPTY_STATE, evolveState, FIRST_OWN_LOT } from './state.ts'
import { VerifyMoment } from './verify-moment.ts'
import { codeOf, whyNotAfter } from './verify-row.ts'

interface JournalRow {
  readonly seq: number
  readonly fact: Fact
}

export interface ShadowVerification {
  /** Rows that could be read. */
  readonly facts: number
  /** Empty when each row can be read, follows from those before it, and what one begins others end. */
  readonly problems: readonly string[]
}

/**
 * Replays the journal of one rehearsal, all as of one moment: the server may go on. No table says the same a second time, so each
 * row is held against what the others have made. What none of them speaks of it cannot miss: a reference that moved after a sale or
 * after a buy by hand, settings, stops, limits. That all is written is proven where a rehearsal's memory can be asked, in the simulation.
 */
export const verifyShadow = (db: Db, userId: string): Promise<ShadowVerification> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((moment) => verifyRows(shadowFacts(moment, userId)))

/** Oldest first. */
export async function verifyRows(rows: AsyncIterable<JournalRow>): Promise<ShadowVerification> {
  const problems: string[] = []
  const unbooked = new Map<string, number>()
  const moment = new VerifyMoment()
  let state = EMPTY_STATE
  let facts = 0
  try {
    for await (const { seq, fact } of rows) {
      const { book } = state.account
      for (const left of moment.next(book, fact)) problems.push(`before row ${seq}: ${left}`)
      const why = whyNotAfter(book, fact)
      if (why !== null) problems.push(`row ${seq}, ${fact.kind}: ${why}`)
      count(unbooked, book, fact)
      state = evolveState(state, fact)
      facts = seq
    }
  } catch (error) {
    // What comes after it cannot be known.
    problems.push(`after row ${facts}: ${error instanceof Error ? error.message : String(error)}`)
    return { facts, problems }
  }
  problems.push(...moment.end(state.account.book))
  for (const [code, shares] of unbooked)
    if (shares !== 0) problems.push(`${code}: ${shares} shares were filled and are in no lot`)
  return { facts, problems }
}

/** Shares that orders filled less those that lots gained or lost by it, by stock: 0 after each step. Copied lots have no order here. */
function count(unbooked: Map<string, number>, book: Book, fact: Fact): void {
  const order = fact.kind === 'orderFilled' ? book.orders.get(fact.orderId) : undefined
  const code = order?.code ?? codeOf(fact)
  if (code === null) return
  const add = (shares: number): void => void unbooked.set(code, (unbooked.get(code) ?? 0) + shares)
  if (fact.kind === 'orderFilled' && order !== undefined) add(fact.count - order.filledCount)
  if (fact.kind === 'lotSold') add(-fact.trade.count)
  if (fact.kind !== 'lotBought' || fact.lot.id < FIRST_OWN_LOT) return
  const known = book.stocks.get(code)?.lots.find(({ id }) => id === fact.lot.id)
  add((known?.count ?? 0) - fact.lot.count)
}
