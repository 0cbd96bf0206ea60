import { pricedBy, route, type PricedBy, type Route } from '../krx/route.ts'
import type { Account, Context } from './step-types.ts'
import type { Issue } from './types.ts'

type Moment = Pick<Context, 'now' | 'timetable' | 'env'>

/** Where an order of the issue goes now; null: nowhere. What NXT refused today goes to KRX. */
export const routeOf = (account: Account, { now, timetable, env }: Moment, issue: Issue): Route | null =>
  route(ofToday(account, issue), now, timetable, env, account.book.venues)

/** Whose trades the stock's price is made of now, for this account. */
export function pricesOf(account: Account, { now, timetable, env }: Moment, code: string): PricedBy {
  const stock = account.book.stocks.get(code)
  return stock === undefined ? 'KRX' : pricedBy(ofToday(account, stock.issue), now, timetable, env, account.book.venues)
}

const ofToday = ({ view }: Account, issue: Issue): Issue =>
  view.stocks.notOnNxt.has(issue.code) ? { ...issue, nxt: false } : issue
