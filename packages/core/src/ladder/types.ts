import type { ReasonCode } from './reason-codes.ts'

export type { PriceBand } from '../krx/types.ts'

/** The per-stock settings a person edits. Prices are whole won, percents are percent (−1 = one percent below). */
export interface Settings {
  readonly maxBuyPrice: number | null
  readonly maxBuyAmount: number | null
  /** Won per buy; 1 means one share each time. */
  readonly buyUnitPrice: number | null
  /** The reference of the next buy. Null: the ladder has not started. */
  readonly lastBuyPrice: number | null
  readonly recoverLastBuyPrice: boolean
  readonly autoBuy: boolean
  readonly buyPercent: number
  readonly autoSell: boolean
  readonly sellPercent: number
  readonly useMinSellPrice: boolean
  readonly minSellPrice: number | null
  readonly autoSellWithAvgPrice: boolean
}

/** Shares bought together and not yet sold: the spec's open trade. */
export interface Lot {
  /** Number of the trade, unique in its account. */
  readonly id: number
  readonly count: number
  /** Average fill price rounded up to a won. */
  readonly buyPrice: number
  /** What these shares cost, in won, to the won (count × buyPrice may round above it). */
  readonly buyAmount: number
  readonly boughtAt: number
}

/** Why a rule said yes or no. `text` is a Korean sentence for the person; `code` is for programs and tests. */
export interface Reason {
  readonly side: 'buy' | 'sell'
  readonly ok: boolean
  readonly code: ReasonCode
  readonly text: string
  /** Of what is past: when it was decided, epoch ms. Absent: it is of now. */
  readonly at?: number
}

export type BuyPlan =
  | { readonly kind: 'buy'; readonly price: number; readonly count: number; readonly reasons: readonly Reason[] }
  | { readonly kind: 'hold'; readonly reasons: readonly Reason[] }

/** One sell order the settings ask to rest: lots in booking order, lowest target first. */
export interface SellPlan {
  readonly lots: readonly { readonly lotId: number; readonly count: number }[]
  readonly price: number
  readonly count: number
}
