import type { Sim } from '@digger/kis-sim'
import type { Db } from '@digger/database'
import type { Book, Truth } from './agreement.ts'

/** Everything the tables know of one user, ended orders included. */
export async function readBook(db: Db, userId: string): Promise<Book> {
  const orders = await db.selectFrom('account_order').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  const trades = await db.selectFrom('trade').selectAll().where('user_id', '=', userId).orderBy('id').execute()
  const stocks = await db.selectFrom('stock').selectAll().where('user_id', '=', userId).execute()
  const issues = new Map(stocks.map(({ code, market, kind, nxt }) => [code, { code, market, kind, nxt }]))
  return { orders, trades, issues }
}

export const readTruth = (sim: Sim, account: string, cashBefore: number): Truth => ({
  events: sim.trueEvents(account),
  orders: sim.orders(account),
  holdings: sim.holdings(account),
  cashBefore,
  cashAfter: sim.cash(account).settled,
})
