import type uPlot from 'uplot'
import { number } from '../../format/won.ts'
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

/** Lines further than this from the candles are left to the table, or the candles would shrink to nothing. */
const REACH = 0.6

/** Lowest and highest price worth drawing: every candle, and the lines near them. */
export function priceRange(candles: readonly Candle[], lines: readonly PriceLine[]): [number, number] {
  const low = Math.min(...candles.map((candle) => candle.low))
  const high = Math.max(...candles.map((candle) => candle.high))
  if (!Number.isFinite(low) || !Number.isFinite(high)) return [0, 1]
  const room = Math.max((high - low) * REACH, low * 0.02)
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

/** Horizontal lines with their names, from the highest price down in drawing order. */
export function drawLines(plot: uPlot, theme: Theme, lines: readonly PriceLine[]): void {
  const { ctx, bbox } = plot
  const colours = { buy: theme.up, sell: theme.down, plain: theme.text }
  ctx.save()
  ctx.font = scaledFont(theme.font)
  ctx.textBaseline = 'bottom'
  let lastLabel = Infinity
  for (const line of [...lines].sort((a, b) => a.price - b.price)) {
    const y = Math.round(plot.valToPos(line.price, 'y', true))
    if (y < bbox.top || y > bbox.top + bbox.height) continue
    ctx.strokeStyle = colours[line.tone]
    ctx.lineWidth = devicePixelRatio
    ctx.setLineDash(line.dashed ? [4 * devicePixelRatio, 4 * devicePixelRatio] : [])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    // Names that would lie on each other are left out: the table has them all.
    if (lastLabel - y > 13 * devicePixelRatio) {
      ctx.fillStyle = colours[line.tone]
      ctx.fillText(`${line.name} ${number(line.price)}`, bbox.left + 4 * devicePixelRatio, y - devicePixelRatio)
      lastLabel = y
    }
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
