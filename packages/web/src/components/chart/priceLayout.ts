import { number } from '../../format/won.ts'
import { priceRange, type Candle } from './candles.ts'
import { roundValues, yOf, type Scale } from './scale.ts'
import { freeValues, placeTags, type Placed } from './tags.ts'
import { textWidth } from './textWidth.ts'
import { firstOf, type View } from './view.ts'

/** A price with a tag in the gutter. */
export interface PriceTag {
  /** Where there is room, and where there is little; '' leaves the price alone. */
  name: string
  short: string
  price: number
  tone: 'now' | 'buy' | 'sell' | 'plain' | 'cursor'
  /** Not of the market: somebody typed it. */
  dashed?: boolean
}

/** From here on there is room for names as long as they are, px. */
const WIDE = 560
const WIDE_GUTTER = 140
const GUTTER = 104
/** Prices from a million on need so much more beside a name, px. */
const MILLION_ROOM = 14
/** Space above the plot for half a candle wick, below it for times, px. */
const ABOVE = 8
const BELOW = 26
/** Right of the newest candle: the ticks of the lots, px. */
const TICK_ROOM = 14
/** Two axis values at least, or tags alone, px. */
const VALUE_ROOM = 32

export interface PriceLayout {
  wide: boolean
  scale: Scale
  /** Right edge of the plot, where the gutter begins; px. */
  right: number
  gutter: number
  /** Width that the candles share, px. */
  across: number
  /** px from one candle to the next. */
  step: number
  /** Where the left edge lies among the candles; a fraction where one is cut. */
  first: number
  /** Candles that are seen, at least in part: from, and up to but without. */
  from: number
  to: number
  x: (index: number) => number
  tags: Placed<PriceTag & { y: number }>[]
  values: number[]
  /** Prices above and below all that is drawn. */
  above: PriceTag[]
  below: PriceTag[]
}

interface Given {
  candles: readonly Candle[]
  view: View
  /** The most important first. */
  tags: readonly PriceTag[]
  width: number
  height: number
}

/** Everything of a price chart that depends on its size: scale, gutter, tags. */
export function priceLayout({ candles, view, tags, width, height }: Given): PriceLayout {
  const wide = width >= WIDE
  const millions = tags.some(({ price }) => price >= 1_000_000)
  const gutter = wide ? WIDE_GUTTER : GUTTER + (millions ? MILLION_ROOM : 0)
  const right = Math.max(width - gutter, 0)
  const first = firstOf(view, candles.length)
  const [from, to] = [Math.max(Math.floor(first), 0), Math.min(Math.ceil(first + view.span), candles.length)]
  const [low, high] = priceRange(
    candles.slice(from, to),
    tags.filter(({ dashed }) => dashed !== true).map(({ price }) => price),
  )
  const scale: Scale = { low, high, top: ABOVE, bottom: Math.max(height - BELOW, ABOVE + 1) }
  const across = Math.max(right - TICK_ROOM, 1)
  const step = across / view.span
  const y = (price: number) => yOf(scale, price)
  const inside = tags.filter(({ price }) => price >= low && price <= high)
  const placed = placeTags(
    inside.map((tag) => ({ ...tag, y: y(tag.price) })),
    scale.top,
    scale.bottom,
  )
  const values = roundValues(low, high, Math.max(1, Math.min(5, Math.floor((scale.bottom - scale.top) / VALUE_ROOM))))
  return {
    wide,
    scale,
    right,
    gutter,
    across,
    step,
    first,
    from,
    to,
    x: (index) => (index + 0.5 - first) * step,
    tags: placed,
    values: freeValues(values, y, placed),
    above: tags.filter(({ price }) => price > high),
    below: tags.filter(({ price }) => price < low),
  }
}

/** Name of a tag that fits beside its price into so many px; '' where none does. */
export function nameWithin({ name, short, price }: PriceTag, room: number): string {
  const left = room - textWidth(number(price)) - 4
  return [name, short].find((text) => textWidth(text) <= left) ?? ''
}

/** The lot whose tick is next to a height, within a finger's reach; null when none is. */
export function lotNear(lots: readonly { price: number }[], scale: Scale, y: number, reach = 12): number | null {
  const distances = lots.map(({ price }) => Math.abs(yOf(scale, price) - y))
  const nearest = Math.min(...distances)
  return nearest <= reach ? distances.indexOf(nearest) : null
}
