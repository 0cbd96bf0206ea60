import type { SimOrder } from '../ledger/account.ts'
import { DIVISIONS, type Division } from './divisions.ts'
import type { SimIssue } from './issue.ts'

export function divisionOf(order: SimOrder): Division {
  const division = DIVISIONS.get(order.division)
  if (!division) throw new Error(`no order division ${order.division}`)
  return division
}

/** Worst price an order may trade at when it arrives. */
export function limitOf(issue: SimIssue, { side, routed, price }: SimOrder, { pricing }: Division): number {
  const { lower, upper } = issue.limits
  const quotes = issue.quotes[routed]
  switch (pricing) {
    case 'limit':
    case 'stop':
      return price
    case 'best':
      return issue.levels(side, routed)[0]?.price ?? quotes.facing(side)
    case 'top':
      return (
        issue.levels(side === 'buy' ? 'sell' : 'buy', routed)[0]?.price ??
        quotes.facing(side === 'buy' ? 'sell' : 'buy')
      )
    case 'middle':
      return Math.floor((quotes.bid + quotes.ask) / 2)
    case 'market':
    case 'fixed':
      return side === 'buy' ? upper : lower
  }
}
