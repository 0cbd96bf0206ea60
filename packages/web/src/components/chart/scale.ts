/** A span of values and where it is drawn, px from the top. */
export interface Scale {
  low: number
  high: number
  top: number
  bottom: number
}

export const yOf = ({ low, high, top, bottom }: Scale, value: number): number =>
  bottom - ((value - low) / (high - low)) * (bottom - top)

/** Roundest first; neighbours in size are at most 1.5 apart, so that one of them always gives three to five values. */
const ROUND_STEPS = [1, 2, 5, 2.5, 4, 3, 1.5, 7.5, 8, 6]
const MIN_VALUES = 3
const MAX_VALUES = 5

/** Three to five round whole values between both ends, lowest first; fewer only where there are no three whole numbers. */
export function roundValues(low: number, high: number, most = MAX_VALUES): number[] {
  const size = 10 ** Math.floor(Math.log10(Math.max(high - low, 1)))
  const steps = [size, size / 10].flatMap((power) => ROUND_STEPS.map((step) => step * power))
  const series = steps.filter((step) => step >= 1 && Number.isInteger(step)).map((step) => multiples(step, low, high))
  const fitting = series.find(({ length }) => length >= Math.min(MIN_VALUES, most) && length <= most)
  return fitting ?? multiples(size, low, high).slice(0, most)
}

function multiples(step: number, low: number, high: number): number[] {
  const first = Math.ceil(low / step)
  const count = Math.min(Math.floor(high / step) - first + 1, 100)
  return count <= 0 ? [] : Array.from({ length: count }, (_, at) => (first + at) * step || 0)
}
