/** Percent settings have four decimals: enough for −0.01 and 1.2, and whole numbers compute without float surprises. */
export const PERCENT_DECIMALS = 4
const UNIT = 10 ** PERCENT_DECIMALS
const WHOLE = 100 * UNIT

export const isExactPercent = (percent: number): boolean => Math.abs(percent * UNIT - Math.round(percent * UNIT)) < 1e-6

/** price × (1 + percent/100), cut down to a won. */
export const movedDown = (price: number, percent: number): number => moved(price, percent, Math.floor)

/** price × (1 + percent/100), rounded up to a won. */
export const movedUp = (price: number, percent: number): number => moved(price, percent, Math.ceil)

/** The price is split so that no product passes 2^53: exact for every whole price up to a trillion won. */
function moved(price: number, percent: number, round: (won: number) => number): number {
  const factor = WHOLE + Math.round(percent * UNIT)
  // A remainder costs more than all the rest, and most prices are below a million.
  const rest = price < WHOLE ? price : price % WHOLE
  return ((price - rest) / WHOLE) * factor + round((rest * factor) / WHOLE)
}
