import type { HistoryCorrection } from '@digger/contract'
import { type Bar, dayOf } from './bar.ts'

/** What rounding to whole won, and perhaps to a tick below 5,000 won, can move an adjusted price by, won. */
const ROUNDED_BY = 1.01

interface Span {
  readonly from: number
  readonly to: number
}

/** Which ratio of adjusted to traded price a bar can have. */
const ratios = ({ close, traded }: Bar): Span => ({
  from: (close - ROUNDED_BY) / traded,
  to: (close + ROUNDED_BY) / traded,
})

/**
 * Where the share became another one, from the adjusted and the traded close of each day: as long as one ratio fits all days it is the
 * same share. Oldest first. What is smaller than the rounding of its days is not seen, and moves no price by more than that.
 */
export function correctionsOf(bars: readonly Bar[]): HistoryCorrection[] {
  const found: { day: string; of: Span }[] = []
  let same: Span | null = null
  let after: Bar | null = null
  for (const bar of bars.toReversed()) {
    if (bar.traded <= 0) continue
    const own = ratios(bar)
    const both: Span = same === null ? own : { from: Math.max(own.from, same.from), to: Math.min(own.to, same.to) }
    if (both.from <= both.to) same = both
    else {
      if (after !== null && same !== null) found.push({ day: dayOf(after.at), of: same })
      same = own
    }
    after = bar
  }
  if (same === null) return []
  // Each ratio is of prices before the day to prices of today: the one of the day alone is what it adds.
  const spans = [...found.map(({ of }) => of), same]
  return found.map(({ day }, n) => ({ day, ratio: rounded(middle(spans[n + 1]) / middle(spans[n])) })).toReversed()
}

const middle = (span: Span | undefined): number => (span === undefined ? 1 : (span.from + span.to) / 2)

/** Six digits: more than the prices have. */
const rounded = (ratio: number): number => Number(ratio.toPrecision(6))
