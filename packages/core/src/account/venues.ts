import { route, type Route } from '../krx/route.ts'
import type { Account, Context } from './step-types.ts'
import type { Issue } from './types.ts'

/** Where an order of the issue goes now; null: nowhere. What NXT refused today goes to KRX. */
export function routeOf({ book, view }: Account, { now, timetable, env }: Context, issue: Issue): Route | null {
  const today = view.stocks.notOnNxt.has(issue.code) ? { ...issue, nxt: false } : issue
  return route(today, now, timetable, env, book.venues)
}
