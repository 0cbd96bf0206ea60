import { kstDay, kstInstant } from '@digger/core'
import type { Exchange } from './exchange.ts'
import type { HappeningOf } from './happening.ts'
import { crossCollected, RESUMED, STOPPED } from './interruption.ts'
import type { SimIssue } from './issue.ts'
import type { Step } from './step.ts'

const MINUTE_MS = 60_000
/** As the exchange did on 2025-03-18 after it had halted 008970. NXT is said to collect for 30 seconds; here as long. */
const REOPENING_MS = 10 * MINUTE_MS
/** Stages 1 and 2 of a circuit breaker, from the exchange's rules. */
const BREAK_MS = 20 * MINUTE_MS
const LAST_BREAK = '145000'
/** MKOP_CLS_CODE of a circuit breaker: it begins, it ends. */
const BREAK = '174'
const BREAK_OVER = '175'

export function halted(exchange: Exchange, happening: HappeningOf<'halted'>): Step[] {
  const { code, from, until } = happening
  const issue = exchange.issue(code)
  const { halts } = issue.status
  const { hours } = exchange.options
  const begin = (live: boolean): void => {
    halts.add(happening)
    if (live) exchange.operation(issue, STOPPED)
  }
  const duringSession = (['KRX', 'NXT'] as const).some((venue) => hours.phaseAt(venue, until).matching === 'continuous')
  if (duringSession) {
    const collect = (): void => {
      halts.delete(happening)
      issue.status.reopenings.add(happening)
    }
    return [
      { at: from, run: begin },
      { at: until, run: collect },
      reopening(exchange, [issue], happening, until + REOPENING_MS),
    ]
  }
  const end = (live: boolean): void => {
    halts.delete(happening)
    if (live) exchange.operation(issue, RESUMED)
  }
  return [
    { at: from, run: begin },
    { at: until, run: end },
  ]
}

/** Twenty minutes of standstill, in which cancellations alone are taken, then ten in which orders collect. On both venues. */
export function circuitBreaker(exchange: Exchange, happening: HappeningOf<'circuitBreaker'>): Step[] {
  const { at, market } = happening
  assertMayBreak(exchange, at)
  const issues = [...exchange.issues.values()].filter(
    ({ listing }) => market === undefined || listing.market === market,
  )
  const begin = (live: boolean): void => {
    for (const issue of issues) {
      issue.status.breakers.add(happening)
      if (live) exchange.operation(issue, BREAK)
    }
  }
  const collect = (live: boolean): void => {
    for (const issue of issues) {
      issue.status.breakers.delete(happening)
      issue.status.reopenings.add(happening)
      if (live) exchange.operation(issue, BREAK_OVER)
    }
  }
  const open = reopening(exchange, issues, happening, at + BREAK_MS + REOPENING_MS)
  return [{ at, run: begin }, { at: at + BREAK_MS, run: collect }, open]
}

/** Breakers belong to the regular session, up to 14:50: forty minutes before its end, on a day that closes later, too. */
function assertMayBreak(exchange: Exchange, at: number): void {
  const { hours } = exchange.options
  const day = kstDay(at)
  const last = kstInstant(day, LAST_BREAK) + hours.delayMs(day, 'close')
  const regular = hours.phaseAt('KRX', at).name === 'regular'
  if (!regular || (at > last && !hours.always)) {
    throw new RangeError('a circuit breaker happens in the regular session, not after 14:50')
  }
}

function reopening(exchange: Exchange, issues: readonly SimIssue[], cause: object, at: number): Step {
  const run = (live: boolean): void => {
    for (const issue of issues) {
      issue.status.reopenings.delete(cause)
      if (!live) continue
      exchange.operation(issue, RESUMED)
      crossCollected(exchange, issue)
    }
  }
  return { at, run }
}
