import { route, type Route } from '../krx/route.ts'
import type { Context } from './step-types.ts'
import type { Issue } from './types.ts'
import type { View } from './view.ts'

/** Where an order of the issue goes now; null: nowhere. What NXT refused today goes to KRX. */
export const routeOf = ({ stocks }: View, { now, timetable, env }: Context, issue: Issue): Route | null =>
  route(stocks.notOnNxt.has(issue.code) ? { ...issue, nxt: false } : issue, now, timetable, env)
