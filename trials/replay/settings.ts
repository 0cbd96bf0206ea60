import type { StockUpdate } from '@digger/contract'
import type { z } from 'zod'

/** Every stock gets the same ladder; money in won, steps in percent. */
export interface ReplaySettings {
  /** The step below the last buy; negative. */
  readonly buy: number
  /** The step above each buy, or above the average. */
  readonly sell: number
  /** The amount of one buy. */
  readonly unit: number
  /** The limit of the amount in one stock. */
  readonly cap: number
  /** Never buy above this share of the first price, percent. */
  readonly ceiling: number
  readonly average: boolean
}

export const DEFAULT_SETTINGS: ReplaySettings = {
  buy: -2,
  sell: 2.5,
  unit: 2_000_000,
  cap: 40_000_000,
  ceiling: 120,
  average: false,
}

export class SettingsError extends Error {}

/** Reads any part of `buy=-2,sell=2.5,unit=2000000,cap=40000000,ceiling=120,average=no`. */
export function readSettings(text: string): ReplaySettings {
  const read: Record<string, number | boolean> = {}
  for (const part of text.split(',').filter(Boolean)) {
    const [name = '', value = ''] = part.split('=')
    if (!(name in DEFAULT_SETTINGS))
      throw new SettingsError(`no setting ${name}; there are: ${Object.keys(DEFAULT_SETTINGS).join(', ')}`)
    if (name === 'average') read[name] = value === 'yes'
    else if (Number.isFinite(Number(value)) && value !== '') read[name] = Number(value)
    else throw new SettingsError(`${name}=${value} is not a number`)
  }
  return { ...DEFAULT_SETTINGS, ...read }
}

export const ladderOf = (settings: ReplaySettings, firstPrice: number): z.input<typeof StockUpdate> => ({
  maxBuyPrice: Math.round((firstPrice * settings.ceiling) / 100),
  maxBuyAmount: settings.cap,
  buyUnitPrice: settings.unit,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: settings.buy,
  autoSell: true,
  sellPercent: settings.sell,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: settings.average,
})
