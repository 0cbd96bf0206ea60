import type { LiveEvent, Reply, Stock } from '@digger/contract'
import type { CallName } from '@digger/contract/paths'
import type { QueryClient } from '@tanstack/react-query'
import { putReply } from '../api/putReply.ts'
import { changeStocks, matchesQuery, putStocks } from '../api/stockCache.ts'
import { removeStock } from '../api/removeStock.ts'
import { putTrades } from '../api/tradeCache.ts'

type Price = Extract<LiveEvent, { kind: 'prices' }>['prices'][number]

/** A stock with its new price; the very same object when the price is the known one, so that nothing re-renders. */
export function priced(stock: Stock, prices: ReadonlyMap<string, Price>): Stock {
  const found = prices.get(stock.code)
  if (found === undefined || isKnown(stock, found)) return stock
  return { ...stock, price: found.price, priceAt: found.at, basePrice: found.base }
}

const isKnown = ({ price, priceAt, basePrice }: Stock, found: Price): boolean =>
  price === found.price && priceAt === found.at && basePrice === found.base

/** What one live event does to the cache. */
export function applyEvent(client: QueryClient, userId: string, event: LiveEvent): void {
  const refetch = (...calls: CallName[]) =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [name, params] }) => params['userId'] === userId && calls.includes(name),
    })
  switch (event.kind) {
    case 'prices': {
      const prices = new Map(event.prices.map((price) => [price.code, price]))
      changeStocks(
        client,
        (key) => matchesQuery(key, userId),
        (stock) => priced(stock, prices),
      )
      break
    }
    case 'stocks':
      applyStocks(client, userId, event.stocks)
      break
    case 'removed':
      removeStock(client, userId, event.code)
      break
    case 'trades':
      putTrades(client, userId, event.code, event.trades)
      invalidateSimulated(client, userId, event.code)
      // Sums that no event carries.
      refetch('balance', 'today', 'gain', 'money', 'limits')
      break
    case 'orders':
      refetch('orders', 'today', 'ordered', 'brokerBalance', 'limits')
      break
    case 'limits':
      refetch('limits', 'venues')
      break
    case 'deposit':
      refetch('balance', 'money')
      break
    case 'socket':
      client.setQueryData<Reply<'socket'>>(
        ['socket', { userId }, {}],
        (info) => info && { ...info, connected: event.connected },
      )
      refetch('socket')
      break
    case 'stop':
      putReply<Reply<'stop'>>(client, ['stop', { userId }, {}], event.stops)
      refetch('balance', 'stocks', 'stock')
      break
    case 'progress':
      break
  }
}

/** What an adjustment would make of a stock follows from its lots and settings: it is the server's to say. */
function applyStocks(client: QueryClient, userId: string, stocks: readonly Stock[]): void {
  putStocks(client, userId, stocks)
  void client.invalidateQueries({
    predicate: ({ queryKey: [name, params] }) =>
      name === 'adjustment' && params['userId'] === userId && stocks.some(({ code }) => code === params['code']),
  })
}

/** The gain at a simulated price is the server's to say. */
function invalidateSimulated(client: QueryClient, userId: string, code: string): void {
  void client.invalidateQueries({
    predicate: ({ queryKey }) => {
      const [name, params] = queryKey
      const isOfStock = name === 'stock' && params['userId'] === userId && params['code'] === code
      return isOfStock && !matchesQuery(queryKey, userId)
    },
  })
}
