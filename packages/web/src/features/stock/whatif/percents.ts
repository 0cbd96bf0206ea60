/** Percents in settings have two decimals. */
const rounded = (percent: number): number => Math.round(percent * 100) / 100
const MIN = 0.01
/** A step down of a hundred percent is nothing left. */
const MAX = 50

/** From this size on a slider moves by this much, percent. */
const STEPS: readonly (readonly [from: number, by: number])[] = [
  [0.01, 0.01],
  [0.1, 0.05],
  [2, 0.1],
  [5, 0.5],
  [10, 1],
]

const EVEN = STEPS.flatMap(([from, by], at) => {
  const end = STEPS[at + 1]?.[0] ?? MAX + by
  return Array.from({ length: Math.round((end - from) / by) }, (_, n) => rounded(from + n * by))
})

/** What a slider goes through, without a sign: finer where small, and the sizes that are set now among them. */
export const sliderSizes = (present: readonly number[]): readonly number[] =>
  [...new Set([...EVEN, ...present.filter((size) => size >= MIN)])].toSorted((a, b) => a - b)

/** Sizes on each axis of the map: the present one in the middle where there is room below it. */
export const MAP_SIZES = 21
/** The ends of the map are this many times the present size, and as much of it, but no step down of nearly everything; percent. */
const REACH = 4
const MAX_MAP = 90

/** Sizes around the present one, each the same times the one before, at least 0.01 apart. */
export function mapSizes(present: number): readonly number[] {
  const middle = Math.max(rounded(present), MIN)
  const half = (MAP_SIZES - 1) / 2
  const up = Math.min(REACH, MAX_MAP / middle)
  const sizes = [middle]
  for (let n = 1; n <= half; n += 1) {
    const below = Math.min(rounded(middle * REACH ** (-n / half)), rounded((sizes[0] ?? 0) - MIN))
    if (below >= MIN) sizes.unshift(below)
  }
  for (let n = 1; sizes.length < MAP_SIZES; n += 1) {
    const last = sizes.at(-1) ?? middle
    sizes.push(Math.max(rounded(middle * up ** (n / half)), rounded(last + MIN)))
  }
  return sizes
}

/** Place of the nearest size. */
export function nearest(sizes: readonly number[], size: number): number {
  let best = 0
  for (const [at, one] of sizes.entries()) if (Math.abs(one - size) < Math.abs((sizes[best] ?? 0) - size)) best = at
  return best
}

/**
 * The size that the map is made around: what is saved, until what is tried lies outside; then as many whole maps away as it takes, so that
 * a slider on its way changes the map seldom.
 */
export function mapCentre(saved: number, tried: number): number {
  const from = Math.max(saved, MIN)
  const away = Math.log(Math.max(tried, MIN) / from) / Math.log(REACH)
  return Math.abs(away) <= 1 ? from : Math.max(rounded(from * REACH ** Math.round(away)), MIN)
}
