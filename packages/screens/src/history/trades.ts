import type { Db, TradeRow } from '@digger/database'

/** A screen shows this many past trades at most; the gain report has the sums of all. */
const MAX_TRADES = 1_000

/** Past trades of a stock, newest buy first. */
export const closedTrades = (db: Db, userId: string, code: string): Promise<TradeRow[]> =>
  db
    .selectFrom('trade')
    .selectAll()
    .where('user_id', '=', userId)
    .where('code', '=', code)
    .where('closed', '=', true)
    .orderBy('bought_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_TRADES)
    .execute()
