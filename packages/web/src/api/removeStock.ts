import type { Reply, Stock } from '@digger/contract'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { ReadKey } from './read.ts'
import { changeData } from './stockCache.ts'
import { readAnew } from './tradeCache.ts'

/** Takes a deleted stock from every list at once, and has whatever showed it read again: its own page says that it is gone. */
export function removeStock(client: QueryClient, userId: string, code: string): void {
  const shown = client.getQueryCache().findAll({ predicate: ({ queryKey }) => isAbout(queryKey, userId, code) })
  for (const query of shown) {
    const [name] = query.queryKey
    if (name === 'stock') {
      empty(client, query)
      continue
    }
    if (name === 'balance') {
      changeData<Reply<'balance'>>(client, query, (balance) => ({ ...balance, list: without(balance.list, code) }))
    } else if (name === 'stocks' || name === 'adminStocks') {
      changeData<Stock[]>(client, query, (list) => without(list, code))
    }
    readAnew(client, query)
  }
}

const LISTS: ReadonlySet<ReadKey[0]> = new Set(['stocks', 'adminStocks', 'balance', 'stop'])

function isAbout([name, params]: ReadKey, userId: string, code: string): boolean {
  if (params['userId'] !== userId) return false
  return LISTS.has(name) || ((name === 'stock' || name === 'trades') && params['code'] === code)
}

const without = (list: readonly Stock[], code: string): Stock[] => list.filter((stock) => stock.code !== code)

/** Beside an old stock the failure to read it would only look like a bad connection. */
function empty(client: QueryClient, query: Query): void {
  const exactly = { queryKey: query.queryKey, exact: true }
  void client.cancelQueries(exactly)
  query.setState({ data: undefined, dataUpdatedAt: 0, status: 'pending', error: null })
  void client.invalidateQueries(exactly)
}
