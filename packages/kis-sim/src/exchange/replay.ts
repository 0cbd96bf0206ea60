import { floorToTick, tickAbove, tickBelow, type IssueKind } from '@digger/core'
import { streamKey, unit } from '../runtime/random.ts'

/** A real day of one stock. Prices may lie off the tick grid. */
export interface Candle {
  readonly day: string
  readonly code: string
  readonly name: string
  readonly market: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Shares; 0: no trading that day. */
  readonly volume: number
  /** The day by the minute, where it is recorded so: oldest first, the last one its closing auction. */
  readonly minutes?: readonly MinuteCandle[]
}

/** A minute of a stock; `time` is `HHMMSS`. */
export interface MinuteCandle {
  readonly time: string
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

type Prices = Pick<MinuteCandle, 'open' | 'high' | 'low' | 'close'>

/** A day has at least four prices: open, both extremes, close. */
const MIN_STEPS = 4

/**
 * The prices of a day in order: open → the nearer extreme → the other one → close, tick by tick, or so for each of its minutes. A day
 * (or minute) with more ticks than `steps` skips evenly; the four prices themselves are always hit exactly.
 */
export function dayPath(candle: Candle, kind: IssueKind, steps: number, seed: number): number[] {
  if (candle.volume === 0) return []
  const { minutes } = candle
  if (minutes === undefined) return barPath(candle, goesLowFirst(candle, seed), kind, steps)
  return minutes.flatMap((minute, at) =>
    // The closing auction is one trade.
    at === minutes.length - 1 ? [minute.close] : barPath(minute, goesLowFirst(candle, seed, minute), kind, steps),
  )
}

/** Whether a day's (or a minute's) low comes before its high: the nearer of both to the open does. A tie is settled by the seed. */
export function goesLowFirst({ code, day, ...prices }: Candle, seed: number, minute?: MinuteCandle): boolean {
  const { open, high, low } = minute ?? prices
  const [up, down] = [high - open, open - low]
  return down === up ? unit(streamKey(seed, code, `${day}${minute?.time ?? ''}`, 'tie'), 0) < 0.5 : down < up
}

function barPath({ open, high, low, close }: Prices, lowFirst: boolean, kind: IssueKind, steps: number): number[] {
  const corners = lowFirst ? [low, high, close] : [high, low, close]
  const legs = corners.map((to, i) => gridBetween(i === 0 ? open : (corners[i - 1] ?? open), to, kind))

  const total = legs.reduce((sum, leg) => sum + leg.length, 0)
  const room = Math.max(MIN_STEPS, steps) - MIN_STEPS
  const path = [open]
  legs.forEach((leg, i) => {
    const steps = total <= room ? leg.length : Math.floor((leg.length * room) / total)
    for (let n = 0; n < steps; n++) path.push(...leg.slice(Math.floor((n * leg.length) / steps)).slice(0, 1))
    path.push(...corners.slice(i, i + 1))
  })
  return path
}

/** Grid prices strictly between two prices, in walking order. */
function gridBetween(from: number, to: number, kind: IssueKind): number[] {
  const prices: number[] = []
  if (to > from) for (let p = tickAbove(from, kind); p < to; p = tickAbove(p, kind)) prices.push(p)
  else for (let p = tickBelow(from, kind); p > to; p = tickBelow(p, kind)) prices.push(p)
  return prices
}

/**
 * Base price of a day: the close before it, unless the day's prices say the base was adjusted (rights, splits). A day
 * without a trade has no prices; its close is the one carried over.
 */
export function baseOf(candle: Candle, before: number | null, kind: IssueKind): number {
  if (candle.volume === 0) return before ?? floorToTick(candle.close, kind)
  const plausible = before !== null && candle.high <= before * 1.301 && candle.low >= before * 0.699
  return plausible ? before : floorToTick(candle.open, kind)
}
