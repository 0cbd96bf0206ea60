import { dailyLimits } from '@digger/core'
import type { Broker } from '../broker/broker.ts'
import { interrupt, RESUMED, STOPPED } from '../exchange/interruption.ts'
import type { SimIssue } from '../exchange/issue.ts'
import type { SetPrice, Sim } from './sim-control.ts'

/** Shares on the tape of a set price, where the caller names none. */
const DEFAULT_COUNT = 10
const DEFAULT_INTERRUPTION_MS = 120_000
const BY_HAND = 'by hand'

type MarketControl = Pick<Sim, 'price' | 'setPrice' | 'setBase' | 'setHalted' | 'setWarning' | 'interrupt' | 'happen'>

/** Prices and states of issues, moved by hand. */
export function marketControl(broker: Broker): MarketControl {
  const { exchange } = broker
  return {
    price: (code) => exchange.issue(code).last,
    setPrice: (code, price, how) => setPrice(broker, exchange.issue(code), price, how ?? {}),
    setBase: (code, base) => setBase(exchange.issue(code), base),
    setHalted: (code, halted) => {
      const issue = exchange.issue(code)
      if (halted) issue.status.halts.add(BY_HAND)
      else issue.status.halts.delete(BY_HAND)
      exchange.operation(issue, halted ? STOPPED : RESUMED)
    },
    setWarning: (code, as) => void (exchange.issue(code).status.warning = as),
    interrupt: (code, ms = DEFAULT_INTERRUPTION_MS) => interrupt(exchange, exchange.issue(code), ms),
    happen: (happening) => broker.happenings.add(happening),
  }
}

function setPrice({ exchange, clock }: Broker, issue: SimIssue, price: number, how: SetPrice): void {
  const { lower, upper } = issue.limits
  if (!Number.isInteger(price) || price < lower || price > upper) {
    throw new RangeError(
      `${issue.listing.code} trades from ${lower} to ${upper} today, not at ${price}; setBase moves the limits`,
    )
  }
  const { count, aggressor = 'buy', venue } = how
  const print = { price, count: count ?? DEFAULT_COUNT, reach: count ?? Infinity, aggressor, at: clock.now() }
  for (const each of venue ? [venue] : (['KRX', 'NXT'] as const)) {
    if (each === 'NXT' && !issue.status.onNxt) continue
    if (exchange.trading(issue, each)) exchange.market(issue, each, [print])
    else exchange.indicate(issue, each, print)
  }
}

function setBase(issue: SimIssue, base: number): void {
  for (const tape of Object.values(issue.tapes)) tape.beginDay(base)
  issue.limits = dailyLimits(base, issue.listing.kind)
  issue.yesterday = null
  issue.expected = null
  for (const quotes of [issue.quotes.KRX, issue.quotes.NXT]) quotes.around(base, 'buy')
}
