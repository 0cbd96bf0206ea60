import { kstMidnight } from '@digger/core'
import { corporateAction } from './corporate-action.ts'
import { dividend } from './dividends.ts'
import type { Exchange } from './exchange.ts'
import type { Happening, HappeningOf } from './happening.ts'
import { STOPPED, RESUMED } from './interruption.ts'
import { merged } from './merger.ts'
import { singlePrice } from './single-price.ts'
import type { Step } from './step.ts'
import { circuitBreaker, halted } from './stops.ts'

/** The changes of a happening in the order of time. Throws when it cannot happen here. */
export function stepsOf(exchange: Exchange, happening: Happening): Step[] {
  switch (happening.kind) {
    case 'nxtDropped':
    case 'nxtAdded':
      return [nxtList(exchange, happening)]
    case 'nxtSuspended':
      return nxtSuspended(exchange, happening)
    case 'warned':
      return [warned(exchange, happening)]
    case 'halted':
      return halted(exchange, happening)
    case 'circuitBreaker':
      return circuitBreaker(exchange, happening)
    case 'singlePrice':
      return singlePrice(exchange, happening)
    case 'dividend':
      return dividend(exchange, happening)
    case 'corporateAction':
      return corporateAction(exchange, happening)
    case 'merged':
      return merged(exchange, happening)
  }
}

function nxtList(exchange: Exchange, { kind, code, day }: HappeningOf<'nxtDropped' | 'nxtAdded'>): Step {
  const { status } = exchange.issue(code)
  return { at: kstMidnight(day), run: () => void (status.inNxtList = kind === 'nxtAdded') }
}

function warned(exchange: Exchange, { code, day, as }: HappeningOf<'warned'>): Step {
  const { status } = exchange.issue(code)
  return { at: kstMidnight(day), run: () => void (status.warning = as) }
}

/** What rests on NXT is cancelled by the exchange; no notice of it is known, so none is sent. */
function nxtSuspended(exchange: Exchange, happening: HappeningOf<'nxtSuspended'>): Step[] {
  const issue = exchange.issue(happening.code)
  const begin = (live: boolean): void => {
    issue.status.nxtStops.add(happening)
    if (!live) return
    exchange.withdraw(issue, 'NXT', 'cancelled')
    exchange.operation(issue, STOPPED, 'NXT')
  }
  const end = (live: boolean): void => {
    issue.status.nxtStops.delete(happening)
    if (live) exchange.operation(issue, RESUMED, 'NXT')
  }
  return [
    { at: happening.from, run: begin },
    { at: happening.until, run: end },
  ]
}
