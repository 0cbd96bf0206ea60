import { kstTime } from '../krx/kst.ts'
import { knownTimetable } from '../krx/calendar.ts'
import { sellTaxRate } from '../krx/cost.ts'
import { dailyLimits } from '../krx/limit.ts'
import { dayEnds } from '../krx/session.ts'
import { floorToTick } from '../krx/tick.ts'
import type { IssueKind, Market, PriceBand } from '../krx/types.ts'

/** Bars as they are kept and sent: columns of one length, oldest first, whole won. */
export interface BarColumns {
  /** KST `YYYYMMDD` of each bar. */
  readonly days: readonly string[]
  /** `HHMMSS` at which a minute begins; without it the bars are days. */
  readonly times?: readonly string[] | undefined
  readonly open: ArrayLike<number>
  readonly high: ArrayLike<number>
  readonly low: ArrayLike<number>
  readonly close: ArrayLike<number>
}

/** What a bar's prices are besides trades one after the other. */
export const BAR = {
  /** Its open is the price of the opening auction: what rests fills at that price, not at its own. */
  opensDay: 1,
  /** All of it is the closing auction: nothing is bought by itself, and what rests fills at its price. */
  auction: 2,
  /** Its close is the price of the closing auction, after which nothing is bought. */
  closesDay: 4,
} as const

/** Bars of one stock made ready once, for any number of settings. Days without a trade are left out. */
export interface Bars {
  readonly kind: IssueKind
  readonly market: Market
  readonly length: number
  readonly open: Float64Array
  readonly high: Float64Array
  readonly low: Float64Array
  readonly close: Float64Array
  /** `BAR` flags. */
  readonly flags: Uint8Array
  /** The lowest price the exchange takes an order at on that day, won: what should sell below waits. */
  readonly lowest: Float64Array
  /** Place of the bar's day in `days`. */
  readonly day: Int32Array
  readonly days: readonly string[]
  /** Place of each bar in the columns it came from. */
  readonly source: Int32Array
  /** Tax on sales of each day, won per 100,000 won. */
  readonly taxRates: Float64Array
}

/** The closing auction collects for ten minutes, ms. */
const CLOSING_MS = 10 * 60_000
const KRX = knownTimetable('krx')

/** Makes bars of adjusted prices ready. Throws RangeError where columns differ in length, or a bar contradicts itself or the order. */
export function barsOf(columns: BarColumns, issue: { readonly kind: IssueKind; readonly market: Market }): Bars {
  const { days, times } = columns
  const traded = tradedBars(columns)
  const column = (of: ArrayLike<number>): Float64Array => Float64Array.from(traded, (at) => of[at] ?? 0)
  const named = traded.map((at) => days[at] ?? '')
  const different = named.filter((day, at) => day !== named[at - 1])
  const place = new Map(different.map((day, at) => [day, at]))
  const closings = times === undefined ? null : new Map(different.map((day) => [day, closingAuctionOf(day)]))
  const prices = { open: column(columns.open), high: column(columns.high), low: column(columns.low) }
  const close = column(columns.close)
  const day = Int32Array.from(named, (name) => place.get(name) ?? 0)
  return {
    ...issue,
    ...prices,
    close,
    length: traded.length,
    flags: Uint8Array.from(traded, (at, bar) => {
      if (closings === null) return BAR.opensDay | BAR.closesDay
      const opens = named[bar] === named[bar - 1] ? 0 : BAR.opensDay
      return opens | ((times?.[at] ?? '') >= (closings.get(named[bar] ?? '') ?? '') ? BAR.auction : 0)
    }),
    lowest: lowestPrices({ ...prices, close, day }, issue),
    day,
    days: different,
    source: Int32Array.from(traded),
    taxRates: Float64Array.from(different, (name) => sellTaxRate({ ...issue, day: name })),
  }
}

/** When the closing auction of a day begins, `HHMMSS`. */
const closingAuctionOf = (day: string): string => kstTime(dayEnds(day, KRX).regular - CLOSING_MS)

/** Places of the bars that have prices. */
function tradedBars({ days, times, open, high, low, close }: BarColumns): number[] {
  const columns = [open, high, low, close, ...(times === undefined ? [] : [times])]
  if (columns.some(({ length }) => length !== days.length)) throw new RangeError('columns of different lengths')
  const traded: number[] = []
  let before = ''
  for (let at = 0; at < days.length; at += 1) {
    const instant = `${days[at]}${times?.[at] ?? ''}`
    if (instant <= before) throw new RangeError(`bar ${instant} after bar ${before}`)
    before = instant
    const [o, h, l, c] = [open[at] ?? 0, high[at] ?? 0, low[at] ?? 0, close[at] ?? 0]
    if (o === 0) continue
    if (!(l > 0 && l <= o && o <= h && l <= c && c <= h)) throw new RangeError(`bar ${instant} contradicts itself`)
    traded.push(at)
  }
  return traded
}

/** A day beyond these limits had a base of its own, percent of the close before. */
const WIDEST = { up: 130.1, down: 69.9 } as const

/** By the close before each day: on days with a base of their own, and on the first one, by the day's open. */
function lowestPrices(
  { open, high, low, close, day }: Pick<Bars, 'open' | 'high' | 'low' | 'close' | 'day'>,
  { kind, market }: { readonly kind: IssueKind; readonly market: Market },
): Float64Array {
  const lowest = new Float64Array(open.length)
  for (let first = 0; first < open.length;) {
    let end = first + 1
    while (end < open.length && day[end] === day[first]) end += 1
    const before = first === 0 ? 0 : (close[first - 1] ?? 0)
    const [top, bottom] = [Math.max(...high.subarray(first, end)), Math.min(...low.subarray(first, end))]
    const isPlausible = top * 100 <= before * WIDEST.up && bottom * 100 >= before * WIDEST.down
    const base = isPlausible ? before : (open[first] ?? 0)
    lowest.fill(Math.min(bottom, limitsOf(base, kind, market).lower), first, end)
    first = end
  }
  return lowest
}

const limitsOf = (base: number, kind: IssueKind, market: Market): PriceBand =>
  dailyLimits(Math.max(1, floorToTick(base, kind)), kind, market)
