import type { Trade } from '@digger/contract'
import type { Query, QueryClient } from '@tanstack/react-query'
import type { ReadKey } from './read.ts'
import { matchesQuery } from './stockCache.ts'

/**
 * Puts trades as the server gave them into the lists of their stock; null: the lists are read anew. Events come in order,
 * so one that is older than a list is followed by those that the list has ahead of it.
 */
export function putTrades(client: QueryClient, userId: string, code: string, trades: readonly Trade[] | null): void {
  const lists = client.getQueryCache().findAll({
    predicate: ({ queryKey: [name, params] }) =>
      name === 'trades' && params['userId'] === userId && params['code'] === code,
  })
  for (const list of lists) {
    const { queryKey, state } = list
    const old = client.getQueryData<Trade[]>(queryKey)
    if (trades === null || !matchesQuery(queryKey, userId) || isUnsure(list)) readAnew(client, list)
    else if (old !== undefined) {
      // It is as old as the last reading: an event brings only what it touched.
      client.setQueryData(queryKey, withTrades(old, trades, queryKey), { updatedAt: state.dataUpdatedAt })
    }
  }
}

/** A reply on its way may be from before the event, and would take back what it brought. */
const isUnsure = ({ state }: Pick<Query, 'state'>): boolean => state.fetchStatus !== 'idle' || state.isInvalidated

/** A reading on its way is given up first: an invalidation alone would let the first one of a list arrive. */
export function readAnew(client: QueryClient, { queryKey, state }: Pick<Query, 'queryKey' | 'state'>): void {
  const exactly = { queryKey, exact: true }
  if (state.fetchStatus === 'idle') void client.invalidateQueries(exactly)
  else void client.cancelQueries(exactly).then(() => client.invalidateQueries(exactly))
}

function withTrades(old: readonly Trade[], trades: readonly Trade[], [, , query]: ReadKey): Trade[] {
  const ids = new Set(trades.map((trade) => trade.id))
  const shown = trades.filter((trade) => trade.sellDateTime === null || query['withOldTrade'] === 'true')
  return [...old.filter((trade) => !ids.has(trade.id)), ...shown].sort(byNewestBuy)
}

/** The order of the server's list. */
const byNewestBuy = (a: Trade, b: Trade): number => b.buyDateTime.localeCompare(a.buyDateTime) || b.id - a.id
