import type { SaleCommand, SeenPrice } from '@digger/core'
import { Refused } from '@digger/contract'
import type { Command, CommandKey } from '@digger/engine'
import type { Given } from '@digger/http'
import { buyQuoteView, saleQuoteView, sentView } from '@digger/screens'
import type { Services } from '../services.ts'
import { stockOf } from './stock-of.ts'

export const countOf = ({ qty }: { qty?: number | undefined }): { count?: number } =>
  qty === undefined ? {} : { count: qty }

/** Carries out a command of a person; the orders that it led to. */
export async function sent(
  { accounts }: Services,
  userId: string,
  command: Command,
  key: CommandKey | undefined,
): Promise<ReturnType<typeof sentView>> {
  const { orders = [] } = await accounts.ask(userId, command, key)
  return sentView(orders)
}

/** What the sale that is described would do now. */
export function saleQuote({ accounts, clock }: Services, { userId, params: { code }, query }: Given<'saleQuote'>) {
  const stock = stockOf(accounts.book(userId), code)
  const quote = accounts.saleQuote(userId, commandOf(code, query))
  if (quote === null) throw new Refused('CONFLICT', `${code} 종목이 그사이 지워졌습니다.`)
  return saleQuoteView(stock, quote, clock.now())
}

/** What the buy that is described would do now. */
export function buyQuote({ accounts, clock }: Services, { userId, params: { code }, query }: Given<'buyQuote'>) {
  stockOf(accounts.book(userId), code)
  const quote = accounts.buyQuote(userId, { code, amount: query.amount * WON_PER_UNIT })
  if (quote === null) throw new Refused('CONFLICT', `${code} 종목이 그사이 지워졌습니다.`)
  return buyQuoteView(quote, clock.now())
}

/** The amount of a market buy is typed in units of 10,000 won. */
export const WON_PER_UNIT = 10_000

/** Nothing where its person saw no price. */
export const seenOf = ({ seenPrice }: { seenPrice?: number | undefined }): { seen?: SeenPrice } =>
  seenPrice === undefined ? {} : { seen: { price: seenPrice } }

function commandOf(code: string, query: Given<'saleQuote'>['query']): SaleCommand {
  const { how, tradeId, sellPrice, sellCount } = query
  if (tradeId !== undefined && how !== 'price') return { kind: 'sellTrade', code, tradeId, how }
  if (tradeId !== undefined) throw new Refused('INVALID', '매매 하나는 값을 정해 팔 수 없습니다.')
  if (how === 'target') return { kind: 'sellStock', code }
  if (how === 'market') return { kind: 'sellAtMarket', code, ...countOf(query) }
  if (how === 'current' || sellPrice === undefined) throw new Refused('INVALID', '매도가를 넣어 주세요.')
  return { kind: 'sellAtPrice', code, price: sellPrice, slices: sellCount, ...countOf(query) }
}
