import { canonical, emptyBook, evolve, isLive, type Book, type ClosedTrade } from '@digger/core'
import type { Db } from '@digger/database'
import { factsAfter } from './journal.ts'
import { loadBook } from './books.ts'
import { closedRow, openRow, orderLotRows, orderRow, stockRow } from './rows-of.ts'

export interface Verification {
  readonly userId: string
  readonly facts: number
  /** Empty when the tables say what the journal says. */
  readonly differences: readonly string[]
}

/** Rebuilds one account from its journal and compares every row with the tables, all as of one moment: the server may go on. */
export const verifyAccount = (db: Db, userId: string): Promise<Verification> =>
  db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((moment) => verified(moment, userId))

async function verified(db: Db, userId: string): Promise<Verification> {
  const { book, trades, facts } = await replayJournal(db, userId)
  const loaded = await loadBook(db, userId)
  if (loaded === null) return { userId, facts, differences: ['the account row is missing'] }
  const differences = [
    ...(loaded.seq === facts ? [] : [`journal ends at ${facts}, the account row says ${loaded.seq}`]),
    ...compareRows('account', [numbersOf(book)], [numbersOf(loaded.book)]),
    ...compareRows('stock', stockRows(userId, book), stockRows(userId, loaded.book)),
    ...compareRows('lot', lotRows(userId, book), lotRows(userId, loaded.book)),
    ...compareRows('order', orderRows(userId, book), orderRows(userId, loaded.book)),
    ...compareRows(
      'trade',
      byKey(
        trades.map((trade) => closedRow(userId, trade)),
        'id',
      ),
      await closedRows(db, userId),
    ),
  ]
  return { userId, facts, differences }
}

async function replayJournal(db: Db, userId: string) {
  // The first fact of every account opens its first day.
  let book = emptyBook('')
  let facts = 0
  const trades: ClosedTrade[] = []
  for await (const { seq, fact } of factsAfter(db, userId)) {
    book = evolve(book, fact)
    if (fact.kind === 'lotSold') trades.push(fact.trade)
    facts = seq
  }
  return { book, trades, facts }
}

const numbersOf = ({
  day,
  stop,
  shadow,
  nextLotId,
  nextOrderId,
  limits,
  venues,
  otherServer,
  gainToday,
  realisedToday,
}: Book) => ({
  day,
  stop,
  shadow,
  nextLotId,
  nextOrderId,
  limits,
  venues,
  otherServer,
  gainToday,
  realisedToday: [...realisedToday].sort(([a], [b]) => (a < b ? -1 : 1)),
})
const stockRows = (userId: string, book: Book) =>
  byKey(
    [...book.stocks.values()].map((stock) => stockRow(userId, stock)),
    'code',
  )
const lotRows = (userId: string, book: Book) =>
  byKey(
    [...book.stocks.values()].flatMap((stock) => stock.lots.map((lot) => openRow(userId, stock.issue.code, lot))),
    'id',
  )
/** Only what a restart would load: ended orders of the days before the oldest live one are history. */
function orderRows(userId: string, book: Book) {
  const orders = [...book.orders.values()]
  const first = orders.reduce((day, order) => (isLive(order.status) && order.day < day ? order.day : day), book.day)
  return orders
    .filter((order) => order.day >= first)
    .map((order) => ({ ...orderRow(userId, order), lots: orderLotRows(userId, order) }))
    .sort((a, b) => a.id - b.id)
}

const closedRows = (db: Db, userId: string) =>
  db.selectFrom('trade').selectAll().where('user_id', '=', userId).where('closed', '=', true).orderBy('id').execute()

const byKey = <T>(rows: readonly T[], key: keyof T): T[] => rows.toSorted((a, b) => (a[key] < b[key] ? -1 : 1))

function compareRows(what: string, fromJournal: readonly object[], fromTables: readonly object[]): string[] {
  const differences: string[] = []
  for (let i = 0; i < Math.max(fromJournal.length, fromTables.length); i += 1) {
    const [a, b] = [textOf(fromJournal[i]), textOf(fromTables[i])]
    if (a !== b) differences.push(`${what}: journal ${a} but table ${b}`)
  }
  return differences
}

/** The database gives JSON back with its keys in another order. */
const textOf = (row: object | undefined): string => (row === undefined ? 'nothing' : canonical(row))
