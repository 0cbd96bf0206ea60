import type { Stock } from '@digger/contract'
import type { CallName } from '@digger/contract/paths'
import type { QueryClient } from '@tanstack/react-query'
import { send } from '../../api/send.ts'
import { bodyOf, draftOf, type Draft } from './draft.ts'

const SHOWS_STOCKS: ReadonlySet<CallName> = new Set(['stock', 'stocks', 'balance', 'trades', 'adminStocks'])

const refresh = (client: QueryClient) =>
  client.invalidateQueries({ predicate: ({ queryKey: [name] }) => SHOWS_STOCKS.has(name) })

/** Saves settings; the saved stock, or null after the refusal was shown. */
export async function saveStock(client: QueryClient, stock: Stock, draft: Partial<Draft>): Promise<Stock | null> {
  const { userId, code } = stock
  const saved = await send('updateStock', {
    params: { userId, code },
    body: bodyOf(stock, { ...draftOf(stock), ...draft }),
  })
  // Also after a refusal: "changed since it was read" needs the newer one on screen.
  await refresh(client)
  return saved
}

/** Turns live prices of a stock on or off. */
export async function subscribe(client: QueryClient, { userId, code }: Stock): Promise<void> {
  const reply = await send('toggleSubscribed', { params: { userId, code } })
  if (reply) await refresh(client)
}
