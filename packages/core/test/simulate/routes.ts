import { route, type Issue, type Route, type Timetable, type VenueChoices } from '../../src/index.ts'

const EITHER = [false, true] as const

/** Everything an owner can choose. */
export const VENUE_CHOICES: readonly VenueChoices[] = EITHER.flatMap((sor) =>
  EITHER.flatMap((preMarket) => EITHER.map((afterMarket) => ({ sor, preMarket, afterMarket }))),
)

/** Every way an order may go now, by what its owner may have chosen. */
export const routesOf = (issue: Issue, now: number, timetable: Timetable, env: 'real' | 'paper'): Route[] =>
  VENUE_CHOICES.flatMap((use) => route(issue, now, timetable, env, use) ?? [])
