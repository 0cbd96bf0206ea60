import type { Stock } from '@digger/contract'
import { useSyncExternalStore } from 'react'

export type BadgeName = 'priceSubscribed' | 'autoBuy' | 'autoSell' | 'recoverLastBuyPrice'

/** Switches that were pressed and are not saved yet, as `user code badge`. */
let saving: ReadonlySet<string> = new Set()
const listeners = new Set<() => void>()

function change(next: ReadonlySet<string>): void {
  saving = next
  for (const listener of listeners) listener()
}
function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

type StockId = Pick<Stock, 'userId' | 'code'>
const prefixOf = ({ userId, code }: StockId): string => `${userId} ${code} `

/** The switch says that it is being saved until the work is done. */
export async function whileSaving<T>(stock: StockId, badge: BadgeName, work: () => Promise<T>): Promise<T> {
  const key = prefixOf(stock) + badge
  change(new Set([...saving, key]))
  try {
    return await work()
  } finally {
    change(new Set([...saving].filter((one) => one !== key)))
  }
}

const textOf = (stock: StockId): string =>
  [...saving].flatMap((key) => (key.startsWith(prefixOf(stock)) ? key.slice(prefixOf(stock).length) : [])).join(' ')

/** Names of the switches of a stock that are being saved; a change of other stocks draws nothing anew. */
export const useSavingBadges = (stock: StockId): string[] => {
  const text = useSyncExternalStore(
    watch,
    () => textOf(stock),
    () => '',
  )
  return text.split(' ')
}
