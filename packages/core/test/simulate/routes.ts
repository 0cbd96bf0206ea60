import { route, type Issue, type Route, type Timetable, type VenueChoices } from '../../src/index.ts'
import type { Listed } from './broker-types.ts'

const EITHER = [false, true] as const

/** Everything an owner can choose. */
export const VENUE_CHOICES: readonly VenueChoices[] = EITHER.flatMap((sor) =>
  EITHER.flatMap((preMarket) => EITHER.map((afterMarket) => ({ sor, preMarket, afterMarket }))),
)

/** The last answer for each kind of issue: hours change with the second, and every price asks for them. */
const kept = new Map<string, { readonly second: number; readonly timetable: Timetable; readonly routes: Route[] }>()

/** Every way an order of the issue may go at this hour, by what its owner may have chosen. */
function routesOf(issue: Issue, now: number, timetable: Timetable, env: 'real' | 'paper'): Route[] {
  const key = `${env} ${issue.kind} ${issue.market} ${issue.nxt}`
  const second = Math.floor(now / 1_000)
  const before = kept.get(key)
  if (before !== undefined && before.second === second && before.timetable === timetable) return before.routes
  const routes = VENUE_CHOICES.flatMap((use) => route(issue, now, timetable, env, use) ?? [])
  kept.set(key, { second, timetable, routes })
  return routes
}

/** Those that the exchanges take today. */
export const openRoutes = (stock: Listed, now: number, timetable: Timetable, env: 'real' | 'paper'): Route[] =>
  routesOf({ ...stock.issue, nxt: stock.issue.nxt && !stock.offNxt }, now, timetable, env).filter(
    ({ session }) => session !== 'after' || !stock.noAfterMarket,
  )

/** Whether the hour alone would let the order go there. */
export const isHourOf = (
  stock: Listed,
  { venue, session }: Pick<Route, 'venue' | 'session'>,
  now: number,
  timetable: Timetable,
  env: 'real' | 'paper',
): boolean =>
  routesOf({ ...stock.issue, nxt: true }, now, timetable, env).some(
    (one) => one.venue === venue && one.session === session,
  )
