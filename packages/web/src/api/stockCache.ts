import type { Reply, Stock } from '@digger/contract'
import { replaceEqualDeep, type Query, type QueryClient } from '@tanstack/react-query'
import type { ReadKey } from './read.ts'
import { markShared } from './sharing.ts'

type Matches = (key: ReadKey) => boolean
type ChangeStock = (stock: Stock) => Stock
type StockId = Pick<Stock, 'userId' | 'code'>

const isSimulated = ([, , query]: ReadKey): boolean => query['simulPrice'] !== undefined
const idOf = ({ userId, code }: StockId): string => `${userId} ${code}`
const isSame = (a: StockId, b: StockId): boolean => idOf(a) === idOf(b)

/** A simulated price is what the person asked to see: live prices stay out of it. */
export const matchesQuery = (key: ReadKey, userId: string): boolean => key[1]['userId'] === userId && !isSimulated(key)

/** False where either instant is unknown. */
const isBefore = (a: string | null, b: string | null): boolean => Date.parse(a ?? '') < Date.parse(b ?? '')

/** A copy that was slow on the way never replaces a newer one; a stock that was deleted and added again starts at version 1. */
export function newer(old: Stock, fresh: Stock): Stock {
  if (fresh.version < old.version && !isBefore(old.updatedAt, fresh.updatedAt)) return old
  // A fill changes what is held, not the version of the settings.
  if (fresh.version === old.version && isBefore(fresh.updatedAt, old.updatedAt)) return old
  return isBefore(fresh.priceAt, old.priceAt) ? { ...fresh, price: old.price, priceAt: old.priceAt } : fresh
}

/** Returns the same array when no element changed. */
function mapSame<T>(list: T[], change: (item: T) => T): T[] {
  const next = list.map(change)
  return next.some((item, index) => item !== list[index]) ? next : list
}

function inBalance(balance: Reply<'balance'>, change: ChangeStock): Reply<'balance'> {
  const list = mapSame(balance.list, change)
  return list === balance.list ? balance : { ...balance, list }
}

/** Changes every cached stock under the keys that match: in lists, in balances, and single ones. */
export function changeStocks(client: QueryClient, matches: Matches, change: ChangeStock): void {
  for (const query of client.getQueryCache().findAll({ predicate: ({ queryKey }) => matches(queryKey) })) {
    const [name] = query.queryKey
    if (name === 'stock') changeData<Stock>(client, query, change)
    else if (name === 'balance') changeData<Reply<'balance'>>(client, query, (balance) => inBalance(balance, change))
    else if (name === 'stocks' || name === 'adminStocks') {
      changeData<Stock[]>(client, query, (list) => mapSame(list, change))
    }
  }
}

/** What was read stays as old as its reading, and as stale: an event brings only what it touched. */
export function changeData<T extends object>(client: QueryClient, query: Query, change: (data: T) => T): void {
  const { queryKey, state } = query
  const old = client.getQueryData<T>(queryKey)
  const data = old === undefined ? undefined : change(old)
  if (data === undefined || data === old) return
  markShared(data)
  // `setQueryData` would call it fresh, also after a reading under way is given up with its page.
  if (state.isInvalidated) query.setState({ data })
  else client.setQueryData<T>(queryKey, () => data, { updatedAt: state.dataUpdatedAt })
}

export function patchStock(client: QueryClient, id: StockId, fields: Partial<Stock>): void {
  changeStocks(
    client,
    () => true,
    (stock) => (isSame(stock, id) ? { ...stock, ...fields } : stock),
  )
}

/** What the target of every open trade follows. */
const TARGET_SETTINGS = ['sellPercent', 'useMinSellPrice', 'minSellPrice', 'autoSellWithAvgPrice'] as const
const sellsOtherwise = (old: Stock, next: Stock): boolean => TARGET_SETTINGS.some((name) => old[name] !== next[name])

/** A simulated page keeps its price and what follows from it. */
const keepSimulated = (old: Stock, next: Stock): Stock => {
  const { price, gainAmount, gainRatio } = old
  return next === old ? old : { ...next, price, gainAmount, gainRatio }
}

/**
 * Puts stocks as the server gave them in place of older copies, and marks as stale what they do not
 * contain. `userId` is the one in the keys of the pages: an id, or `user` for the person who is logged in.
 */
export function putStocks(client: QueryClient, userId: string, stocks: readonly Stock[]): void {
  const fresh = new Map(stocks.map((stock) => [idOf(stock), stock]))
  const sameHolding = new Set<Stock>()
  const newTargets = new Set<string>()
  const renew = (old: Stock): Stock => {
    const stock = fresh.get(idOf(old))
    if (stock === undefined) return old
    if (stock.remainCount === old.remainCount) sameHolding.add(stock)
    const next = replaceEqualDeep(old, newer(old, stock))
    if (sellsOtherwise(old, next)) newTargets.add(stock.code)
    return next
  }
  changeStocks(client, (key) => !isSimulated(key), renew)
  changeStocks(client, isSimulated, (old) => keepSimulated(old, renew(old)))
  for (const stock of stocks) fillMissing(client, userId, stock)
  invalidateMisplaced(client, userId, stocks)
  const isHoldingChanged = stocks.some((stock) => !sameHolding.has(stock))
  void client.invalidateQueries({
    predicate: ({ queryKey: [name, params] }) => {
      if (name === 'trades') return newTargets.has(String(params['code']))
      // The rest of the deposit, and the lists that a new stock belongs to.
      return isHoldingChanged && (name === 'balance' || name === 'stocks') && params['userId'] === userId
    },
  })
}

/** Gives the stock to a page whose read was answered that there is none. */
function fillMissing(client: QueryClient, userId: string, stock: Stock): void {
  client.setQueriesData<Stock>(
    {
      predicate: ({ queryKey, state }) =>
        queryKey[0] === 'stock' &&
        queryKey[1]['code'] === stock.code &&
        matchesQuery(queryKey, userId) &&
        state.data === undefined,
    },
    () => stock,
  )
}

/** Has one stock read again wherever it is shown on its own or in a list of stocks. */
export function invalidateStock(client: QueryClient, code: string): void {
  void client.invalidateQueries({
    predicate: ({ queryKey: [name, params] }) =>
      name === 'stocks' || name === 'adminStocks' || (name === 'stock' && params['code'] === code),
  })
}

/** Lists of watched stocks that show one that is no longer watched, or lack one that now is. */
function invalidateMisplaced(client: QueryClient, userId: string, stocks: readonly Stock[]): void {
  const lists = client.getQueriesData<Stock[]>({
    predicate: ({ queryKey: [name, params, query] }) =>
      (name === 'stocks' || name === 'adminStocks') && params['userId'] === userId && query['showOnlyWatch'] === 'true',
  })
  for (const [queryKey, list] of lists) {
    const isMisplaced = (stock: Stock) => list?.some((old) => isSame(old, stock)) !== stock.priceSubscribed
    if (list && stocks.some(isMisplaced)) void client.invalidateQueries({ queryKey, exact: true })
  }
}
