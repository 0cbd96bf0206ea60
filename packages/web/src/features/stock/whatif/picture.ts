import { roundValues, yOf, type Scale } from '../../../components/chart/scale.ts'
import { textWidth } from '../../../components/chart/textWidth.ts'
import { axisWon } from '../../../format/won.ts'
import type { Frame, Traded } from './protocol.ts'

/** Height of prices and of what was gained, and between them; px. */
const PRICES = 190
const BETWEEN = 26
const GAINS = 100
/** Above the plots, and below them for the times; px. */
const ABOVE = 14
const BELOW = 22
export const PICTURE_HEIGHT = ABOVE + PRICES + BETWEEN + GAINS + BELOW
/** Left free beside the widest value, px. */
const BESIDE = 8
/** px that one place takes at least: as wide as a mark, so that thousands of trades are a row of marks. */
export const PLACE_WIDTH = 4
/** The widest gutter: places are counted before the values are there. */
const GUTTER = 72
/** Between two times, px from middle to middle. */
const TIME_DISTANCE = 76

export interface Plot {
  readonly scale: Scale
  readonly values: readonly { readonly value: number; readonly text: string }[]
}

export interface PictureLayout {
  /** Right edge of the plots, px. */
  readonly right: number
  readonly width: number
  /** Width of one place, px. */
  readonly step: number
  readonly prices: Plot
  readonly times: readonly { readonly x: number; readonly text: string }[]
}

/** How many places a chart of this width has room for. */
export const placesIn = (width: number): number => Math.max(Math.floor((width - GUTTER) / PLACE_WIDTH), 0)

/** What stays the same while settings change. */
export function pictureLayout(frame: Frame, width: number): PictureLayout {
  const right = Math.max(width - GUTTER, 1)
  const step = right / Math.max(frame.times.length, 1)
  const [low, high] = [minOf(frame.low), maxOf(frame.high)]
  const room = Math.max((high - low) * 0.1, 1)
  return { right, width, step, prices: plotOf(low - room, high + room, ABOVE, PRICES), times: timesOf(frame, step) }
}

/** With zero, which is neither gained nor lost. */
export function gainPlot({ worse, better }: Traded): Plot {
  const [low, high] = [Math.min(0, minOf(worse)), Math.max(0, maxOf(better))]
  const room = Math.max((high - low) * 0.06, 1)
  return plotOf(low - room, high + room, ABOVE + PRICES + BETWEEN, GAINS)
}

function plotOf(low: number, high: number, top: number, height: number): Plot {
  const values = roundValues(low, high, 4)
  const by = (values[1] ?? 0) - (values[0] ?? 0)
  const texts = values.map((value) => ({ value, text: axisWon(value, by) }))
  return {
    scale: { low, high, top, bottom: top + height },
    // A value wider than the gutter is left out: the figures have it.
    values: texts.filter(({ text }) => textWidth(text) + BESIDE <= GUTTER),
  }
}

const minOf = (column: Float64Array): number => column.reduce((least, value) => Math.min(least, value), Infinity)
const maxOf = (column: Float64Array): number => column.reduce((most, value) => Math.max(most, value), -Infinity)

/** `20260314` → 26-03, of minutes 03-14. */
const timeText = (time: string): string =>
  time.length > 8 ? `${time.slice(4, 6)}-${time.slice(6, 8)}` : `${time.slice(2, 4)}-${time.slice(4, 6)}`

function timesOf({ times }: Frame, step: number): PictureLayout['times'] {
  const every = Math.max(1, Math.ceil(TIME_DISTANCE / step))
  const half = TIME_DISTANCE / 4
  const places = times.flatMap((_, at) => (at % every === Math.floor(every / 2) ? [at] : []))
  return places
    .map((at) => ({ x: Math.max((at + 0.5) * step, half), text: timeText(times[at] ?? '') }))
    .filter(({ text }, at, all) => text !== all[at - 1]?.text)
}

const px = (value: number): number => Math.round(value * 10) / 10

/** From the highest to the lowest price of each place, as a band that a thin line runs through. */
export function pricePaths(frame: Frame, { step, prices: { scale } }: PictureLayout): { band: string; line: string } {
  const { low, high, close } = frame
  const x = (at: number) => px((at + 0.5) * step)
  let [up, down, line] = ['', '', '']
  for (let at = 0; at < close.length; at += 1) {
    const sign = at === 0 ? 'M' : 'L'
    up += `${sign}${x(at)} ${px(yOf(scale, high[at] ?? 0))}`
    line += `${sign}${x(at)} ${px(yOf(scale, close[at] ?? 0))}`
    const back = close.length - 1 - at
    down += `L${x(back)} ${px(yOf(scale, low[back] ?? 0))}`
  }
  return { band: `${up}${down}z`, line }
}

/** Half a mark's width and its heights, px: the more trades in a place, the taller. */
const HALF = 3
const MIN_HEIGHT = 5
const MAX_HEIGHT = 11
const heightOf = (count: number): number => Math.min(MAX_HEIGHT, MIN_HEIGHT + Math.round(2 * Math.log2(count)))

/** One triangle a side and place: bought points up from below the prices, sold down from above them. */
export function markPaths(
  frame: Frame,
  { buys, sells }: Traded,
  { step, prices: { scale } }: PictureLayout,
): { bought: string; sold: string } {
  let [bought, sold] = ['', '']
  for (let at = 0; at < buys.length; at += 1) {
    const x = px((at + 0.5) * step)
    const [buyCount = 0, sellCount = 0] = [buys[at], sells[at]]
    if (buyCount > 0)
      bought += `M${x} ${px(yOf(scale, frame.low[at] ?? 0) + 2)}l${-HALF} ${heightOf(buyCount)}h${2 * HALF}z`
    if (sellCount > 0)
      sold += `M${x} ${px(yOf(scale, frame.high[at] ?? 0) - 2)}l${-HALF} ${-heightOf(sellCount)}h${2 * HALF}z`
  }
  return { bought, sold }
}

/** What was gained, as a band between both ways; where they agree it is a line. */
export function bandPath({ worse, better }: Traded, step: number, scale: Scale): string {
  let [there, back] = ['', '']
  for (let at = 0; at < worse.length; at += 1) {
    there += `${at === 0 ? 'M' : 'L'}${px((at + 0.5) * step)} ${px(yOf(scale, better[at] ?? 0))}`
    const from = worse.length - 1 - at
    back += `L${px((from + 0.5) * step)} ${px(yOf(scale, worse[from] ?? 0))}`
  }
  return worse.length === 0 ? '' : `${there}${back}z`
}
