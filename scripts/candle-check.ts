import { readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { dailyLimits, onGrid, type Market, type PriceBand } from '@digger/core'

export interface DayCandle {
  readonly date: string
  readonly code: string
  readonly name: string
  readonly market: Market
  /** Won; 0 on a day without a trade, when only the close (carried over) is set. */
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/**
 * Why a day lies outside the limits of the previous close, as far as the candles themselves show.
 * resumed: nothing traded the day before, so the exchange set a base of its own (merger, split, liquidation) ·
 * unbound: after such a day, which may lie before the candles, it keeps leaving its limits, as liquidation trading may · rebased: it opens far outside and
 * stays within the limits of some other base (rights day, split) · unexplained: our rule is wrong, or the data are.
 */
export type Why = 'resumed' | 'unbound' | 'rebased' | 'unexplained'

export interface OutsideDay {
  readonly candle: DayCandle
  readonly base: number
  readonly band: PriceBand
  readonly why: Why
}

export interface CandleReport {
  readonly candles: number
  /** Open, high, low and close values that are prices. */
  readonly values: number
  readonly onGrid: number
  readonly offGrid: readonly { readonly candle: DayCandle; readonly price: number }[]
  readonly judgedDays: number
  /** Days whose high or low touched a limit exactly: the rule is tested, not just never reached. */
  readonly touchedLimit: number
  readonly outside: readonly OutsideDay[]
  /** First candle of a code after the file's first day: a listing, without a previous close to judge by. */
  readonly listings: readonly DayCandle[]
}

/** `date,code,name,market,open,high,low,close,volume,amount`, sorted by date. Stocks only: no ETF or ETN is expected inside. */
export function readCandles(path: string): DayCandle[] {
  const [header = '', ...lines] = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
  if (!header.startsWith('date,code,name,market,open,high,low,close,volume'))
    throw new Error(`unknown columns: ${header}`)
  return lines.map((line) => {
    const [date = '', code = '', name = '', market = '', ...numbers] = line.split(',')
    const [open = 0, high = 0, low = 0, close = 0, volume = 0] = numbers.map(Number)
    return { date, code, name, market: marketOf(market), open, high, low, close, volume }
  })
}

function marketOf(text: string): Market {
  // KOSDAQ GLOBAL is a segment of KOSDAQ.
  if (text.startsWith('KOSDAQ')) return 'KOSDAQ'
  if (text === 'KOSPI' || text === 'KONEX') return text
  throw new Error(`unknown market: ${text}`)
}

/** Several records as one, in order of date; of a day that is in two of them the first counts. */
export function joined(records: readonly (readonly DayCandle[])[]): DayCandle[] {
  const known = new Map<string, DayCandle>()
  for (const candle of records.flat()) {
    const key = `${candle.date} ${candle.code}`
    if (!known.has(key)) known.set(key, candle)
  }
  return [...known.values()].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0))
}

/**
 * Holds the tick and limit rules against candles that really happened, in order of date. `unboundBefore` names the codes
 * known to have been in liquidation trading when the candles begin, which the candles themselves cannot show.
 */
export function checkCandles(
  candles: readonly DayCandle[],
  unboundBefore: ReadonlySet<string> = new Set(),
): CandleReport {
  const offGrid: { candle: DayCandle; price: number }[] = []
  const outside: OutsideDay[] = []
  const listings: DayCandle[] = []
  const before = new Map<string, DayCandle>()
  const unbound = new Set(unboundBefore)
  let [values, judgedDays, touchedLimit] = [0, 0, 0]

  for (const candle of candles) {
    const prices = pricesOf(candle)
    values += prices.length
    for (const price of prices) if (!onGrid(price, 'stock')) offGrid.push({ candle, price })

    const previous = before.get(candle.code)
    before.set(candle.code, candle)
    if (!previous && candle.date !== candles[0]?.date) listings.push(candle)
    if (!previous || candle.volume === 0) continue

    judgedDays++
    const band = dailyLimits(previous.close, 'stock', candle.market)
    if (candle.high === band.upper || candle.low === band.lower) touchedLimit++
    if (within(candle, band)) continue
    const why = explain(candle, previous, band, unbound.has(candle.code))
    if (why === 'resumed') unbound.add(candle.code)
    outside.push({ candle, base: previous.close, band, why })
  }
  const good = values - offGrid.length
  return { candles: candles.length, values, onGrid: good, offGrid, judgedDays, touchedLimit, outside, listings }
}

const pricesOf = ({ open, high, low, close }: DayCandle): number[] =>
  [open, high, low, close].filter((price) => price > 0)

const within = (candle: DayCandle, band: PriceBand): boolean => band.lower <= candle.low && candle.high <= band.upper

/** An opening this far beyond a limit is a different base, not a rounding rule missed by a tick. */
const FAR = 0.03

function explain(candle: DayCandle, previous: DayCandle, band: PriceBand, unbound: boolean): Why {
  if (previous.volume === 0) return 'resumed'
  if (unbound) return 'unbound'
  const far = candle.open > band.upper * (1 + FAR) || candle.open < band.lower * (1 - FAR)
  const fitsSomeBase = candle.high / candle.low <= 1.3 / 0.7
  return far && fitsSomeBase ? 'rebased' : 'unexplained'
}
