import { addDays, DAY_MS, kstInstant, kstMidnight } from '@digger/core'
import type { Exchange } from './exchange.ts'
import type { HappeningOf } from './happening.ts'
import type { SimIssue } from './issue.ts'
import type { Step } from './step.ts'

const HALF_HOUR_MS = 30 * 60_000

/** From the first half hour after the open on; the opening and the closing auction are the same as on other days. */
export function singlePrice(exchange: Exchange, happening: HappeningOf<'singlePrice'>): Step[] {
  const issue = exchange.issue(happening.code)
  const { status } = issue
  const { hours, assumed } = exchange.options
  const sets = [status.singlePrice, ...(assumed.answers.overheatedElsewhere === 'barred' ? barsOf(issue) : [])]
  const steps: Step[] = [
    { at: kstMidnight(happening.from), run: () => sets.forEach((set) => set.add(happening)) },
    { at: kstMidnight(happening.until) + DAY_MS, run: () => sets.forEach((set) => set.delete(happening)) },
  ]
  for (let day = happening.from; day <= happening.until; day = addDays(day, 1)) {
    if (!hours.isOpenDay(day)) continue
    const open = kstInstant(day, '090000') + hours.delayMs(day, 'open')
    const close = kstInstant(day, '152000') + hours.delayMs(day, 'close')
    for (let at = open + HALF_HOUR_MS; at < close; at += HALF_HOUR_MS) {
      steps.push({ at, run: (live) => void (live && crossOnce(exchange, issue)) })
    }
  }
  return steps
}

const barsOf = ({ status }: SimIssue) => [status.nxtStops, status.afterMarketBars]

function crossOnce(exchange: Exchange, issue: SimIssue): void {
  const { standsStill, reopenings } = issue.status
  if (standsStill || reopenings.size > 0 || issue.interruptedUntil !== null) return
  const { price, count } = issue.expected ?? { price: issue.last, count: 0 }
  exchange.cross(issue, 'KRX', price, count)
}
