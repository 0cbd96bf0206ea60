import { costs } from '../krx/cost.ts'
import type { IssueKind, Market } from '../krx/types.ts'
import { nextBuyPrice, sharesPerBuy } from './buy.ts'
import { averageTarget, lotTarget } from './sell.ts'
import type { Lot, Settings } from './types.ts'

/**
 * What is wrong or surprising about settings that can be saved all the same.
 * losingTarget    a sale at its target brings less than buying and selling cost
 * unitAboveCap    one buy may take the whole most that may be held
 * floorAboveBuys  no share bought at or below the ceiling sells before the price has risen to the floor
 * buysAtOnce      the present price is at or below the next buy
 * sellsAtOnce     lots whose target the present price has reached
 */
export type WarningCode = 'losingTarget' | 'unitAboveCap' | 'floorAboveBuys' | 'buysAtOnce' | 'sellsAtOnce'

export interface Warning {
  readonly code: WarningCode
  /** losingTarget: percent a sale must gain to lose nothing. floorAboveBuys: won. buysAtOnce, sellsAtOnce: shares. */
  readonly value: number
}

export interface WarnedSettings {
  readonly settings: Settings
  readonly kind: IssueKind
  readonly market: Market
  /** What may be sold automatically. */
  readonly lots: readonly Lot[]
  /** Won that all shares held have cost. */
  readonly heldAmount: number
  /** Last trade, won; null: not known. */
  readonly price: number | null
  /** KST day of the rates. */
  readonly day: string
}

/** Settings that lose by design, and what they would do in the next second. Words for people are the screens' own. */
export function settingsWarnings(input: WarnedSettings): Warning[] {
  const { autoBuy, autoSell } = input.settings
  return [
    ...(autoSell ? [...losing(input), ...sellingAtOnce(input)] : []),
    ...(autoBuy ? [...wasteful(input), ...buyingAtOnce(input)] : []),
  ]
}

/** A deal large enough that cutting to whole won does not matter. */
const LARGE = 100_000_000

function losing({ settings: { sellPercent }, kind, market, day }: WarnedSettings): Warning[] {
  const buy = costs({ side: 'buy', amount: LARGE, market, kind, day })
  const sell = costs({ side: 'sell', amount: LARGE, market, kind, day })
  const percent = ((buy.fee + sell.fee + sell.tax) * 100) / (LARGE - sell.fee - sell.tax)
  return sellPercent < percent ? [{ code: 'losingTarget', value: Math.ceil(percent * 100) / 100 }] : []
}

function wasteful({ settings, kind }: WarnedSettings): Warning[] {
  const { buyUnitPrice, maxBuyAmount, maxBuyPrice, minSellPrice, useMinSellPrice, autoSell } = settings
  const warnings: Warning[] = []
  if (buyUnitPrice && maxBuyAmount && buyUnitPrice !== 1 && buyUnitPrice >= maxBuyAmount)
    warnings.push({ code: 'unitAboveCap', value: maxBuyAmount })
  const highest = maxBuyPrice ? lotTarget(maxBuyPrice, { ...settings, useMinSellPrice: false }, kind) : null
  if (autoSell && useMinSellPrice && minSellPrice && highest !== null && minSellPrice > highest)
    warnings.push({ code: 'floorAboveBuys', value: minSellPrice })
  return warnings
}

function buyingAtOnce({ settings, kind, heldAmount, price }: WarnedSettings): Warning[] {
  const next = nextBuyPrice(settings, kind)
  if (price === null || next === null || price > next) return []
  const room = settings.maxBuyAmount ? settings.maxBuyAmount - heldAmount : Infinity
  const count = Math.min(sharesPerBuy(settings, price), Math.floor(room / price))
  return count > 0 ? [{ code: 'buysAtOnce', value: count }] : []
}

function sellingAtOnce({ settings, kind, lots, price }: WarnedSettings): Warning[] {
  if (price === null || !(settings.sellPercent > 0)) return []
  const average = averageTarget(lots, settings, kind)
  const target = (lot: Lot): number =>
    settings.autoSellWithAvgPrice && average !== null ? average : lotTarget(lot.buyPrice, settings, kind)
  const count = lots.filter((lot) => target(lot) <= price).reduce((sum, lot) => sum + lot.count, 0)
  return count > 0 ? [{ code: 'sellsAtOnce', value: count }] : []
}
