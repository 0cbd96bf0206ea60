import { number } from '../../format/won.ts'
import { shortTime, timeLabels, type Candle } from './candles.ts'
import { nameWithin, type PriceLayout, type PriceTag } from './priceLayout.ts'
import { yOf } from './scale.ts'
import { spaced, type Placed } from './tags.ts'

/** A text of a chart: `y` is the middle of its line, `x` the edge or middle that `anchor` says; px. */
export interface Label {
  text: string
  x: number
  y: number
  anchor: 'start' | 'middle' | 'end'
}

/** From the plot to the tags, px: room for leader lines. */
export const LEADER = 10
/** Within a tag, left and right, px. */
const PADDING = 6
type Gutter = Pick<PriceLayout, 'right' | 'gutter'>

export const valueLabel = (value: number, { right, gutter, scale }: Gutter & Pick<PriceLayout, 'scale'>): Label => ({
  text: number(value),
  x: right + gutter - PADDING,
  y: yOf(scale, value),
  anchor: 'end',
})

/** Name and price of a tag; the name is '' where it has no room. */
export const tagLabels = ({ tag, at }: Placed<PriceTag>, { right, gutter }: Gutter): [name: Label, price: Label] => [
  {
    text: nameWithin(tag, gutter - LEADER - 2 * PADDING),
    x: right + LEADER + PADDING,
    y: at,
    anchor: 'start',
  },
  { text: number(tag.price), x: right + gutter - PADDING, y: at, anchor: 'end' },
]

/** From middle to middle, px: 44 between labels of one like 11/20. */
const LABEL_DISTANCE = 80
/** Half of the longest label, so that none is cut at an edge; px. */
export const HALF_TIME = 18
/** From the base line to the middle of the times below it, px. */
const BELOW = 13

/** Months, days or minutes below the candles, and the time that is pointed at, which stands in their way. */
export function timeTexts(
  candles: readonly Candle[],
  { from, to, x, right, scale }: Pick<PriceLayout, 'from' | 'to' | 'x' | 'right'> & { scale: { bottom: number } },
  pointed: number | null,
): { times: Label[]; pointed: Label | null } {
  const inside = (at: number) => Math.min(Math.max(at, HALF_TIME), Math.max(right - HALF_TIME, HALF_TIME))
  const label = (text: string, index: number): Label => ({
    text,
    x: inside(x(index)),
    y: scale.bottom + BELOW,
    anchor: 'middle',
  })
  const labels = timeLabels(candles, from, to).map(({ index, text }) => label(text, index))
  const time = pointed === null ? undefined : candles[pointed]?.time
  const at = pointed === null || time === undefined ? null : label(shortTime(time), pointed)
  return { times: spaced(labels, LABEL_DISTANCE, at?.x ?? null), pointed: at }
}
