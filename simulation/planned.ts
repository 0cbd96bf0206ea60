/** A stock of an account, with the settings a person has given it. */
export interface StockPlan {
  readonly code: string
  readonly maxBuyPrice: number
  readonly maxBuyAmount: number
  readonly buyUnitPrice: number
  readonly buyPercent: number
  readonly sellPercent: number
  readonly recoverLastBuyPrice: boolean
  readonly autoSellWithAvgPrice: boolean
  /** False: left out of this run; nobody saves it, and the rest of the run has no other chance than with it. */
  readonly isSaved: boolean
}

export interface FaultPlan {
  /** An entry of `faults/all.ts`. */
  readonly name: string
  /** Ms since the start of the run. */
  readonly at: number
  readonly forMs: number
  /** A number of the fault's own, 0 ≤ x < 1: how hard, which kind, whom. */
  readonly draw: number
}

export interface PressPlan {
  /** An entry of `people/presses.ts`. */
  readonly name: string
  readonly at: number
  readonly person: number
  /** Which of the person's stocks. */
  readonly stock: number
  readonly draw: number
}

/** All that chance decides of a run before it begins: what is left out of it changes nothing else. */
export interface Plan {
  readonly seed: number
  /** KST, ISO. */
  readonly start: string
  /** When the last fault is over, the market still trading; and when the run ends. Ms since the start. */
  readonly calmAt: number
  readonly endAt: number
  readonly accounts: readonly { readonly stocks: readonly StockPlan[] }[]
  readonly market: { readonly ticksPerSecond: number; readonly volatility: number }
  readonly faults: readonly FaultPlan[]
  readonly presses: readonly PressPlan[]
}
