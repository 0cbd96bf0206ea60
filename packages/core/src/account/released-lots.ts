import type { HeldLot, Stock } from './types.ts'

export const releaseLots = (lots: readonly HeldLot[]): readonly HeldLot[] =>
  lots.some((lot) => lot.heldBack) ? lots.map((lot) => ({ ...lot, heldBack: false })) : lots

export const released = (lots: readonly HeldLot[], ids: readonly number[]): readonly HeldLot[] =>
  lots.map((lot) => (ids.includes(lot.id) ? { ...lot, takenOver: false } : lot))

export const releaseHeldBackLots = (stocks: ReadonlyMap<string, Stock>): ReadonlyMap<string, Stock> =>
  new Map([...stocks].map(([code, stock]) => [code, { ...stock, lots: releaseLots(stock.lots) }]))
