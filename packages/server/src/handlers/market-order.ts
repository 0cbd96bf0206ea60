import type { SaleCommand } from '@digger/core'
import type { Given, Handlers } from '@digger/http'
import type { Services } from '../services.ts'
import { needProof } from './prove.ts'
import { countOf, seenOf, sent, WON_PER_UNIT } from './sale.ts'
import { stockOf } from './stock-of.ts'

export type MarketOrderCalls = 'sellStockAtMarket' | 'marketBuy'

/** Orders at whatever the market gives. */
export function marketOrderHandlers(services: Services): Pick<Handlers, MarketOrderCalls> {
  const { accounts } = services
  return {
    async sellStockAtMarket({ userId, caller, params: { code }, query, note, key }) {
      stockOf(accounts.book(userId), code)
      if (query.qty !== undefined) note(`${query.qty}주`)
      const command = { kind: 'sellAtMarket', code, ...countOf(query), ...seenOf(query) } as const
      await needProofOfSale(services, { userId, caller }, command)
      return sent(services, userId, command, key)
    },
    async marketBuy({ userId, caller, params: { code }, body, note, key }) {
      stockOf(accounts.book(userId), code)
      const amount = body.amount * WON_PER_UNIT
      if (amount >= PROVEN_WON) await needProof(services, caller)
      note(`${amount}원`)
      const seen = body.seen && { seen: body.seen }
      return sent(services, userId, { kind: 'marketBuy', code, amount, ...seen }, key)
    },
  }
}

/** Won from which on an order at the market, whose price nobody has fixed, is for somebody who just proved who they are. */
export const PROVEN_WON = 10_000_000

/** The worth of what would be sold at the last price; at cost where there is none. */
export async function needProofOfSale(
  services: Services,
  { userId, caller }: Pick<Given<'sellStock'>, 'userId' | 'caller'>,
  command: SaleCommand,
): Promise<void> {
  const quote = services.accounts.saleQuote(userId, command)
  const price = quote?.last?.price ?? null
  const worth = sumOf(quote?.lots ?? [], ({ count, buyAmount }) => (price === null ? buyAmount : count * price))
  if (worth >= PROVEN_WON) await needProof(services, caller)
}

const sumOf = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((sum, item) => sum + of(item), 0)
