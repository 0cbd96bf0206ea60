import type uPlot from 'uplot'
import { number } from '../../format/won.ts'
import { placeName, type Box } from './names.ts'
import type { Theme } from './Plot.tsx'

export interface Candle {
  time: string
  open: number
  high: number
  low: number
  close: number
}
/** A horizontal line: what it is, where it lies, how it looks. */
export interface PriceLine {
  name: string
  price: number
  tone: 'buy' | 'sell' | 'plain'
  dashed: boolean
}
/** A purchase or sale on the candle of its time. */
export interface Mark {
  index: number
  price: number
  side: 'buy' | 'sell'
}

/** Lines further away than this share of the candles' range are left to the table, or the candles would shrink to nothing. */
const MAX_LINE_DISTANCE = 0.6

/** Lowest and highest price worth drawing: every candle, and the lines near them. */
export function priceRange(candles: readonly Candle[], lines: readonly PriceLine[]): [number, number] {
  const low = Math.min(...candles.map((candle) => candle.low))
  const high = Math.max(...candles.map((candle) => candle.high))
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const room = Math.max((high - low) * MAX_LINE_DISTANCE, low * 0.02)
  const near = lines.map(({ price }) => price).filter((price) => price >= low - room && price <= high + room)
  const [from, to] = [Math.min(low, ...near), Math.max(high, ...near)]
  const edge = Math.max((to - from) * 0.06, 1)
  return [from - edge, to + edge]
}

/** The newest candle moves with the live price. */
export function withLastPrice(candles: readonly Candle[], price: number | null): Candle[] {
  const last = candles.at(-1)
  if (last === undefined || price === null) return [...candles]
  const { high, low } = last
  return [...candles.slice(0, -1), { ...last, close: price, high: Math.max(high, price), low: Math.min(low, price) }]
}

/** Index of the candle that an instant (KST digits, YYYYMMDDHHMMSS) belongs to; null outside the picture. */
export function candleAt(candles: readonly Candle[], digits: string): number | null {
  const length = candles[0]?.time.length ?? 0
  const time = digits.slice(0, length)
  const index = candles.findLastIndex((candle) => candle.time <= time)
  const day = candles[index]?.time.slice(0, 8)
  return index === -1 || day !== time.slice(0, 8) ? null : index
}

const lineColours = (theme: Theme): Record<PriceLine['tone'], string> => ({
  buy: theme.up,
  sell: theme.down,
  plain: theme.text,
})

/** Where lines lie inside the picture, px of the canvas. */
function visible(plot: uPlot, lines: readonly PriceLine[]): { line: PriceLine; y: number }[] {
  const { top, height } = plot.bbox
  return lines
    .map((line) => ({ line, y: Math.round(plot.valToPos(line.price, 'y', true)) }))
    .filter(({ y }) => y >= top && y <= top + height)
}

export function drawLines(plot: uPlot, theme: Theme, lines: readonly PriceLine[]): void {
  const { ctx, bbox } = plot
  const colours = lineColours(theme)
  ctx.save()
  ctx.lineWidth = devicePixelRatio
  for (const { line, y } of visible(plot, lines)) {
    ctx.strokeStyle = colours[line.tone]
    ctx.setLineDash(line.dashed ? [4 * devicePixelRatio, 4 * devicePixelRatio] : [])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
  }
  ctx.restore()
}

/** Names of the lines, where no candle and no other name is if there is such a place. The table has them all. */
export function drawNames(plot: uPlot, theme: Theme, lines: readonly PriceLine[], candles: readonly Candle[]): void {
  const { ctx } = plot
  const colours = lineColours(theme)
  const taken: Box[] = []
  const height = 14 * devicePixelRatio
  const sticks = candles.map(({ low, high }, index): Box => {
    const top = plot.valToPos(high, 'y', true)
    return { left: plot.valToPos(index, 'x', true), width: 0, top, height: plot.valToPos(low, 'y', true) - top }
  })
  ctx.save()
  ctx.font = scaledFont(theme.font)
  ctx.textBaseline = 'middle'
  for (const { line, y } of visible(plot, lines)) {
    const text = `${line.name} ${number(line.price)}`
    const size = { width: ctx.measureText(text).width + 8 * devicePixelRatio, height }
    const box = placeName(plot.bbox, y, size, { sticks, taken })
    if (box === null) continue
    taken.push(box)
    ctx.globalAlpha = 0.85
    ctx.fillStyle = theme.surface
    ctx.fillRect(box.left, box.top, box.width, box.height)
    ctx.globalAlpha = 1
    ctx.fillStyle = colours[line.tone]
    ctx.fillText(text, box.left + 4 * devicePixelRatio, box.top + height / 2)
  }
  ctx.restore()
}

export const scaledFont = (font: string): string =>
  font.replace(/^(\d+)px/, (_all, size: string) => `${Number(size) * devicePixelRatio}px`)

export function drawCandles(plot: uPlot, theme: Theme, candles: readonly Candle[]): void {
  const { ctx } = plot
  const step = Math.abs(plot.valToPos(1, 'x', true) - plot.valToPos(0, 'x', true))
  const width = Math.max(devicePixelRatio, Math.min(step * 0.66, 14 * devicePixelRatio))
  ctx.save()
  ctx.lineWidth = Math.max(1, Math.round(devicePixelRatio))
  for (const [index, { open, high, low, close }] of candles.entries()) {
    const x = Math.round(plot.valToPos(index, 'x', true))
    const y = (price: number) => Math.round(plot.valToPos(price, 'y', true))
    // Korean custom: red when it closed at or above its opening, blue when below.
    const colour = close >= open ? theme.up : theme.down
    ctx.strokeStyle = colour
    ctx.fillStyle = colour
    ctx.beginPath()
    ctx.moveTo(x, y(high))
    ctx.lineTo(x, y(low))
    ctx.stroke()
    ctx.fillRect(
      x - width / 2,
      Math.min(y(open), y(close)),
      width,
      Math.max(Math.abs(y(open) - y(close)), devicePixelRatio),
    )
  }
  ctx.restore()
}

/** Triangles: purchases point up from below, sales down from above. */
export function drawMarks(plot: uPlot, theme: Theme, marks: readonly Mark[]): void {
  const { ctx } = plot
  const size = 5 * devicePixelRatio
  ctx.save()
  ctx.strokeStyle = theme.surface
  ctx.lineWidth = 1.5 * devicePixelRatio
  const { bbox } = plot
  for (const { index, price, side } of marks) {
    const x = plot.valToPos(index, 'x', true)
    const y = plot.valToPos(price, 'y', true)
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    const down = side === 'buy' ? 1 : -1
    ctx.fillStyle = side === 'buy' ? theme.up : theme.down
    ctx.beginPath()
    ctx.moveTo(x, y)
    ctx.lineTo(x - size, y + down * size * 1.6)
    ctx.lineTo(x + size, y + down * size * 1.6)
    ctx.closePath()
    ctx.stroke()
    ctx.fill()
  }
  ctx.restore()
}
