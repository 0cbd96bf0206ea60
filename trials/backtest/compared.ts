import { StockUpdate } from '@digger/contract'
import type { Candle } from '@digger/kis-sim'
import { replay } from '../replay/replay.ts'
import { faultsOf } from '../replay/report.ts'
import { ladderOf, type ReplaySettings } from '../replay/settings.ts'
import { barsInOrder } from './recorded-bars.ts'
import { type Fills, liveFills, testedFills } from './fills.ts'

/** One stock, traded by the whole server on the pretend exchange and by the back-test. */
export interface Compared {
  readonly live: Fills
  readonly tested: Fills
  /** What was wrong with the server's run, whatever the back-test says. */
  readonly faults: readonly string[]
}

/** A year ahead of any record: the server starts on it. */
const EVE_OF = (day: string): string => `${Number(day.slice(0, 4)) - 1}1230`
const CASH_WON = 100_000_000_000
/** More than any day has ticks: none is left out. */
const EVERY_TICK = 10_000

/**
 * Trades the days of one stock by both, with every tick between the four prices of a bar. The day before the first, on which the price
 * stands still, the ladder begins; what the server would not see of an opening (`openTwice`) it sees. One stock at a time: two that
 * fill in the same second wait for each other's reading of the list.
 */
export async function compare(days: readonly Candle[], settings: ReplaySettings, seed: number): Promise<Compared> {
  const candles = withEve(days.toSorted((a, b) => (a.day < b.day ? -1 : 1)))
  const { code = '', open = 0 } = candles[0] ?? {}
  const run = await replay({ candles, settings, seed, steps: EVERY_TICK, cash: CASH_WON, openTwice: true })
  const { prepared, order } = barsInOrder(candles, seed)
  const tested = testedFills(prepared, StockUpdate.parse(ladderOf(settings, open)), order)
  return { live: liveFills(run.book, code), tested, faults: faultsOf(run) }
}

function withEve(bars: readonly Candle[]): Candle[] {
  const [first] = bars
  if (first === undefined) return []
  const { minutes: _, open, ...rest } = first
  return [{ ...rest, day: EVE_OF(first.day), open, high: open, low: open, close: open }, ...bars]
}
