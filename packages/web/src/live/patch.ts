import type { LiveEvent, Reply, Stock } from '@digger/contract'
import type { CallName } from '@digger/contract/paths'
import type { QueryClient } from '@tanstack/react-query'
import type { ReadKey } from '../api/read.ts'

type Price = Extract<LiveEvent, { kind: 'prices' }>['prices'][number]
type ChangeStock = (stock: Stock) => Stock

/** A stock with its new price; the very same object when the price tells nothing new, so that nothing re-renders. */
export function priced(stock: Stock, news: ReadonlyMap<string, Price>): Stock {
  const found = news.get(stock.code)
  if (found === undefined || (stock.price === found.price && stock.priceAt === found.at)) return stock
  return { ...stock, price: found.price, priceAt: found.at }
}

/** A copy that was slow on the way never replaces a newer one. */
export function newer(old: Stock, fresh: Stock): Stock {
  if (fresh.version < old.version) return old
  const priceIsOlder = Date.parse(fresh.priceAt ?? '') < Date.parse(old.priceAt ?? '')
  return priceIsOlder ? { ...fresh, price: old.price, priceAt: old.priceAt } : fresh
}

/** The same array when no element changed. */
function mapSame<T>(list: T[], change: (item: T) => T): T[] {
  const next = list.map(change)
  return next.some((item, index) => item !== list[index]) ? next : list
}

function ofBalance(balance: Reply<'balance'>, change: ChangeStock): Reply<'balance'> {
  const list = mapSame(balance.list, change)
  return list === balance.list ? balance : { ...balance, list }
}

/** Changes every stock of this user in the cache: lists, balance, single stocks. */
function patchStocks(client: QueryClient, userId: string, change: ChangeStock): void {
  const where = (call: CallName) => ({
    predicate: ({ queryKey }: { queryKey: ReadKey }) => lies(queryKey, userId, call),
  })
  client.setQueriesData<Reply<'stocks'>>(where('stocks'), (list) => list && mapSame(list, change))
  client.setQueriesData<Reply<'balance'>>(where('balance'), (balance) => balance && ofBalance(balance, change))
  client.setQueriesData<Reply<'stock'>>(where('stock'), (stock) => stock && change(stock))
}

/** A simulated price is what the person asked to see: live ones stay out of it. */
const lies = ([name, params, query]: ReadKey, userId: string, call: CallName): boolean =>
  name === call && params['userId'] === userId && query['simulPrice'] === undefined

/** Puts fresh stocks in place of the old. True when a holding changed, or a stock was in none of the lists. */
function replaceStocks(client: QueryClient, userId: string, stocks: readonly Stock[]): boolean {
  const fresh = new Map(stocks.map((stock) => [stock.code, stock]))
  const same = new Set<string>()
  patchStocks(client, userId, (old) => {
    const stock = fresh.get(old.code)
    if (stock === undefined) return old
    if (stock.remainCount === old.remainCount) same.add(stock.code)
    return newer(old, stock)
  })
  return stocks.some(({ code }) => !same.has(code))
}

/** What one live event does to the cache. */
export function apply(client: QueryClient, userId: string, event: LiveEvent): void {
  const refetch = (...calls: CallName[]) =>
    void client.invalidateQueries({
      predicate: ({ queryKey: [name, params] }) => params['userId'] === userId && calls.includes(name),
    })
  switch (event.kind) {
    case 'prices': {
      const news = new Map(event.prices.map((price) => [price.code, price]))
      patchStocks(client, userId, (stock) => priced(stock, news))
      break
    }
    case 'stocks':
      // What is left of the deposit, and which lists a stock belongs to, the event does not say: those are read again.
      if (replaceStocks(client, userId, event.stocks)) refetch('balance', 'stocks')
      break
    case 'trades':
      refetch('trades', 'balance', 'stock', 'gain', 'money', 'limits')
      break
    case 'orders':
      refetch('orders', 'ordered', 'brokerBalance', 'trades', 'limits')
      break
    case 'limits':
      refetch('limits')
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
      client.setQueryData<Reply<'stop'>>(['stop', { userId }, {}], event.stops)
      refetch('balance', 'stocks', 'stock')
      break
    case 'progress':
      break
  }
}
