import { yOf, type Scale } from './scale.ts'

export interface Candle {
  time: string
  open: number
  high: number
  low: number
  close: number
}
/** The candle of a day or minute in which something was bought or sold. */
export interface Mark {
  index: number
  side: 'buy' | 'sell'
}

/** Prices further away than this share of the candles' range stand at the edge, or the candles would shrink to nothing. */
const MAX_PRICE_DISTANCE = 0.25

/** Lowest and highest price worth drawing: every candle, and the prices near them. */
export function priceRange(candles: readonly Candle[], prices: readonly number[]): [number, number] {
  const low = Math.min(...candles.map((candle) => candle.low))
  const high = Math.max(...candles.map((candle) => candle.high))
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const room = Math.max((high - low) * MAX_PRICE_DISTANCE, low * 0.01)
  const near = prices.filter((price) => price >= low - room && price <= high + room)
  const [from, to] = [Math.min(low, ...near), Math.max(high, ...near)]
  const edge = Math.max((to - from) * 0.06, 1)
  return [from - edge, to + edge]
}

/** The newest candle moves with the live price; null leaves it as the broker gave it. */
export const liveCandle = (last: Candle, price: number | null): Candle =>
  price === null ? last : { ...last, close: price, high: Math.max(last.high, price), low: Math.min(last.low, price) }

/** Index of the candle that an instant (KST digits, YYYYMMDDHHMMSS) belongs to; null outside the picture. */
export function candleAt(candles: readonly Candle[], digits: string): number | null {
  const length = candles[0]?.time.length ?? 0
  const time = digits.slice(0, length)
  const index = candles.findLastIndex((candle) => candle.time <= time)
  const day = candles[index]?.time.slice(0, 8)
  return index === -1 || day !== time.slice(0, 8) ? null : index
}

/** `20261121` → 11/21, `20261121093000` → 09:30. */
export const shortTime = (time: string): string =>
  time.length > 8 ? `${time.slice(8, 10)}:${time.slice(10, 12)}` : `${time.slice(4, 6)}/${time.slice(6, 8)}`

/** Where the middle of an entry lies, px. */
export type AcrossOf = (index: number) => number

/** Candles as two paths. Korean custom: red where it closed at or above its opening, blue below. */
export function candlePaths(
  candles: readonly Candle[],
  { first, x, step, scale }: { first: number; x: AcrossOf; step: number; scale: Scale },
): { up: string; down: string } {
  const width = Math.max(1, Math.min(step * 0.68, 14))
  const paths = { up: '', down: '' }
  for (const [at, { open, high, low, close }] of candles.entries()) {
    const middle = x(first + at)
    const y = (price: number) => yOf(scale, price).toFixed(1)
    const body = Math.max(1, Math.abs(yOf(scale, open) - yOf(scale, close)))
    const left = (middle - width / 2).toFixed(1)
    paths[close >= open ? 'up' : 'down'] +=
      `M${(middle - 0.5).toFixed(1)} ${y(high)}h1V${y(low)}h-1z` +
      `M${left} ${y(Math.max(open, close))}h${width.toFixed(1)}v${body.toFixed(1)}h-${width.toFixed(1)}z`
  }
  return paths
}

/** Half an edge of a triangle, px. */
const MARK = 4

/** Triangles: bought points up from below the candle, sold down from above it. One for each candle and side. */
export function markPaths(
  marks: readonly Mark[],
  candles: readonly Candle[],
  x: AcrossOf,
  scale: Scale,
): { buy: string; sell: string } {
  const paths = { buy: '', sell: '' }
  const once = new Map(marks.map((mark) => [`${mark.side} ${mark.index}`, mark]))
  for (const { index, side } of once.values()) {
    const candle = candles[index]
    if (candle === undefined) continue
    const down = side === 'buy' ? 1 : -1
    const tip = yOf(scale, side === 'buy' ? candle.low : candle.high) + 4 * down
    paths[side] += `M${x(index).toFixed(1)} ${tip.toFixed(1)}l${-MARK} ${down * MARK * 1.6}h${MARK * 2}z`
  }
  return paths
}

/** What stands below the candles: months where some begin, else days or minutes. */
export function timeLabels(candles: readonly Candle[], from: number, to: number): { index: number; text: string }[] {
  const indexes = Array.from({ length: Math.max(to - from, 0) }, (_, at) => from + at)
  const timeOf = (index: number) => candles[index]?.time ?? ''
  const starts = indexes.filter(
    (index) => index > 0 && timeOf(index).length === 8 && timeOf(index).slice(0, 6) !== timeOf(index - 1).slice(0, 6),
  )
  return starts.length >= 2
    ? starts.map((index) => ({ index, text: `${Number(timeOf(index).slice(4, 6))}월` }))
    : indexes.map((index) => ({ index, text: shortTime(timeOf(index)) }))
}
