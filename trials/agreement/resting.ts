/** What a stock lets be known of itself, in a book or on its card. */
export interface StockState {
  readonly code: string
  /** Why Digger itself stopped it, in words; null when it did not. */
  readonly blocked: string | null
  /** That stop is of its buys alone: what is held is offered all the same. Not known: no. */
  readonly buysOnly?: boolean
  readonly frozen: { readonly close: number; readonly base: number } | null
  readonly stop: 'active' | 'reduce' | 'halt'
  readonly autoSell: boolean
}

/** Shares that may be sold by themselves, and the price at which they are to rest. */
export interface SaleDue {
  readonly count: number
  readonly target: number
}

/** An order as the exchange itself knows it. */
export interface Resting {
  readonly code: string
  readonly side: 'buy' | 'sell'
  readonly remaining: number
}

/** Why a stock trades no more by itself, in the words of its card; null where it does. */
export function standstillOf({ code, blocked, frozen, stop }: StockState): string | null {
  if (blocked !== null) return `${code}: ${blocked}`
  if (frozen !== null) return `${code}: base moved from ${frozen.close} to ${frozen.base}`
  return stop === 'active' ? null : `${code}: ${stop}`
}

/**
 * What should rest at the exchange and does not: shares whose target lies inside the day's limits, less the shares of live sells.
 * Null: nothing is missing. A stock that stands still is told elsewhere.
 */
export function missingShares(
  { code, blocked, buysOnly, frozen, stop, autoSell }: StockState,
  lots: readonly SaleDue[],
  { lower, upper }: { readonly lower: number; readonly upper: number },
  resting: readonly Resting[],
): { readonly missing: number; readonly due: number } | null {
  if (!autoSell || (blocked !== null && buysOnly !== true) || frozen !== null || stop === 'halt') return null
  const due = lots.reduce((sum, { count, target }) => sum + (target >= lower && target <= upper ? count : 0), 0)
  const sells = resting.filter((order) => order.code === code && order.side === 'sell')
  const missing = due - sells.reduce((sum, { remaining }) => sum + remaining, 0)
  return missing > 0 ? { missing, due } : null
}
