import type { Fact } from '../facts.ts'
import { evolveFirstDays } from './first-days.ts'
import type { LimitState, ReachedLimit } from './types.ts'

/** What a fact means for the limits. A stop set by a limit stays listed until a person releases it. */
export function evolveLimits(state: LimitState, fact: Fact): LimitState {
  const next = evolveChosen(state, fact)
  const firstDays = evolveFirstDays(next.firstDays, fact)
  return firstDays === undefined || firstDays === next.firstDays ? next : { ...next, firstDays }
}

function evolveChosen(state: LimitState, fact: Fact): LimitState {
  switch (fact.kind) {
    case 'limitsSet':
      return { ...state, own: fact.own, pending: fact.pending }
    case 'dayOpened':
      return opened(state, fact.day)
    case 'unknownCounted':
      return { ...state, lostAt: fact.lostAt }
    case 'limitReached':
      return addReached(state, { limit: fact.limit, code: null, text: fact.text, at: fact.at })
    case 'stockLimitReached':
      return addReached(state, { limit: fact.limit, code: fact.code, text: fact.text, at: fact.at })
    case 'userStopped':
      return fact.stop === 'active' ? released(state, null) : state
    case 'stockStopped':
      return fact.stop === 'active' ? released(state, fact.code) : state
    case 'stockRemoved':
      return released(state, fact.code)
    default:
      return state
  }
}

/** Loosenings whose day has come hold from now on. */
function opened(state: LimitState, day: string): LimitState {
  const due = state.pending.filter(({ from }) => from <= day)
  if (due.length === 0) return state
  const own = { ...state.own, ...Object.fromEntries(due.map(({ limit, value }) => [limit, value])) }
  return { ...state, own, pending: state.pending.filter(({ from }) => from > day) }
}

const addReached = (state: LimitState, reached: ReachedLimit): LimitState => ({
  ...state,
  trips: [...state.trips, reached],
})

const released = (state: LimitState, code: string | null): LimitState =>
  state.trips.some((one) => one.code === code)
    ? { ...state, trips: state.trips.filter((one) => one.code !== code) }
    : state
