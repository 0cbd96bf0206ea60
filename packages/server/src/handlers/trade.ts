import { inTime } from '@digger/engine'
import type { Given, Handlers } from '@digger/http'
import { Candles, closedTrades, openTrade, tradeOfRow } from '@digger/screens'
import type { Services } from '../services.ts'
import { type CorporateActionCalls, corporateActionHandlers } from './corporate-action.ts'
import { type OwnSharesCalls, ownSharesHandlers } from './own-shares.ts'
import { needProofOfSale } from './market-order.ts'
import { buyQuote, saleQuote, seenOf, sent } from './sale.ts'
import { stockOf } from './stock-of.ts'

type TradeCalls =
  | 'trades'
  | 'saleQuote'
  | 'buyQuote'
  | 'candles'
  | 'sellTrade'
  | 'sellTradeAtCurrent'
  | 'sellTradeAtMarket'

type Sale = Pick<Given<'sellTrade'>, 'userId' | 'caller' | 'params' | 'key'> & {
  readonly query?: { readonly seenPrice?: number | undefined } | undefined
}

/** What a stock holds: its trades, whose shares they are, and what becomes of them at a corporate action. */
export function tradeHandlers(services: Services): Pick<Handlers, TradeCalls | OwnSharesCalls | CorporateActionCalls> {
  const { accounts, database, clock, wall } = services
  const candles = new Candles(accounts, clock)
  const sell = async (
    { userId, caller, params: { code, tradeId }, query = {}, key }: Sale,
    how: 'target' | 'current' | 'market',
  ) => {
    stockOf(accounts.book(userId), code)
    const command = { kind: 'sellTrade', code, tradeId, how, ...seenOf(query) } as const
    if (how === 'market') await needProofOfSale(services, { userId, caller }, command)
    return sent(services, userId, command, key)
  }
  return {
    ...ownSharesHandlers(services),
    ...corporateActionHandlers(services),
    /** Open ones from the book, past ones from the table; newest buy first. `withSavedGain` concerns sums, not rows. */
    async trades({ userId, params: { code }, query }) {
      const book = accounts.book(userId)
      const stock = stockOf(book, code)
      const price = query.simulPrice ?? accounts.lastPrice(code)?.price ?? null
      const open = stock.lots.map((lot) => openTrade(book, stock, lot, price, clock.now()))
      const closed = query.withOldTrade ? await closedTrades(database.db, userId, code) : []
      return [...open, ...closed.map(tradeOfRow)].sort(
        (a, b) => b.buyDateTime.localeCompare(a.buyDateTime) || b.id - a.id,
      )
    },
    candles: ({ userId, params, query }) => inTime(wall, candles.read(userId, params.code, query)),
    saleQuote: (given) => saleQuote(services, given),
    buyQuote: (given) => buyQuote(services, given),
    sellTrade: (given) => sell(given, 'target'),
    sellTradeAtCurrent: (given) => sell(given, 'current'),
    sellTradeAtMarket: (given) => sell(given, 'market'),
  }
}
