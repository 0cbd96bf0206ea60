import type { IssueKind } from './types.ts'

/** Below this price, this tick, in won. KRX and NXT, KOSPI and KOSDAQ alike, since 2023-01-25. */
const STOCK_BANDS = {
  below: [2_000, 5_000, 20_000, 50_000, 200_000, 500_000, Infinity],
  ticks: [1, 5, 10, 50, 100, 500, 1_000],
} as const
const ETF_BANDS = { below: [2_000, Infinity], ticks: [1, 5] } as const

/** Every border is a multiple of both its ticks, so rounding up to a border lands on the grid of the next band. */
export function tickSize(price: number, kind: IssueKind): number {
  const { below, ticks } = kind === 'etf' ? ETF_BANDS : STOCK_BANDS
  // By index: a back-test asks for nothing more often, and taking pairs apart costs ten times as much.
  for (let band = 0; band < below.length; band += 1) if (price < (below[band] ?? 0)) return ticks[band] ?? 1
  throw new RangeError(`not a price: ${price}`)
}

export function floorToTick(price: number, kind: IssueKind): number {
  const tick = tickSize(price, kind)
  return Math.floor(price / tick) * tick
}

export function ceilToTick(price: number, kind: IssueKind): number {
  const tick = tickSize(price, kind)
  return Math.ceil(price / tick) * tick
}

/** The highest price of the grid below this one; 0 below 1 won, which is no price any more. */
export const tickBelow = (price: number, kind: IssueKind): number => floorToTick(Math.ceil(price) - 1, kind)

/** The lowest price of the grid above this one. */
export const tickAbove = (price: number, kind: IssueKind): number => ceilToTick(Math.floor(price) + 1, kind)

/** For orders only: trades may lie off the grid, because midpoint orders execute at half ticks cut to a won. */
export const onGrid = (price: number, kind: IssueKind): boolean => price > 0 && price % tickSize(price, kind) === 0
