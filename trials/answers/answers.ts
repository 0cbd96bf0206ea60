import type { Happening } from '@digger/kis-sim'
import type { NewShare } from '../replay/new-share.ts'
import { HAPPENINGS, NEW_SHARES } from './happenings.ts'
import { chosen, questions, type Assumptions, type Changes, type Days, type QuestionName } from './questions.ts'

export interface Answer {
  readonly name: string
  readonly days: Days
  readonly assumptions: Partial<Assumptions>
  readonly happenings?: readonly Happening[]
  readonly shares?: readonly NewShare[]
  readonly clockAheadMs?: number
  readonly changes: Extract<Changes, 'telling' | 'market' | 'costs'>
  /** What must have come up in this run, or it proves nothing. */
  readonly asks: readonly QuestionName[]
}

const LIKED: Partial<Assumptions> = {
  ...chosen('telling', 0),
  ...chosen('market', 0),
  ...chosen('costs', 0),
  ...chosen('unasked', 0),
}

/** The broker as one would like it, on both plans' days: the first answer to every question that a replay can ask. */
export const PLEASANT: readonly Answer[] = (['quiet', 'eventful'] as const).map((days) => ({
  name: `all pleasant, ${days} days`,
  days,
  changes: 'telling',
  assumptions: LIKED,
  asks: [],
}))

/** Brokers that tell everything in the second way, the third, and so on; the last one where there are fewer. */
export const TOGETHER: readonly Answer[] = (['quiet', 'eventful'] as const).flatMap((days) => {
  const asked = questions('telling').filter(([, question]) => (question.days ?? 'quiet') === days)
  const ways = Math.max(...asked.map(([, { answers }]) => answers.length))
  return Array.from({ length: ways - 1 }, (_, n) => ({
    name: `everything told in way ${n + 2}, ${days} days`,
    days,
    changes: 'telling' as const,
    assumptions: { ...LIKED, ...chosen('telling', n + 1) },
    // Where expired orders are shown as if they rested, no hour from which on they are not decides anything.
    asks: asked.map(([name]) => name).filter((name) => n < 2 || name !== 'expiredShownFrom'),
  }))
})

/** One other answer after the other, everything else pleasant. */
export const ANSWERS: readonly Answer[] = (['telling', 'costs', 'market'] as const).flatMap((changes) =>
  questions(changes).flatMap(([name, { answers, days }]) =>
    answers.slice(1).map((answer) => ({
      name: `${name}: ${JSON.stringify(answer)}`,
      days: days ?? 'quiet',
      changes,
      assumptions: { ...LIKED, [name]: answer },
      asks: [name],
    })),
  ),
)

/** The server's clock is some seconds off the broker's: within what it takes for the way of an answer. */
export const CLOCKS: readonly Answer[] = [2_900, -2_900].map((clockAheadMs) => ({
  name: `the broker's clock is ${Math.abs(clockAheadMs) / 1_000} s ${clockAheadMs > 0 ? 'behind' : 'ahead'}`,
  days: 'quiet',
  changes: 'market',
  assumptions: LIKED,
  clockAheadMs,
  asks: [],
}))

/** What befalls the market on one of the days, everything else pleasant. */
export const BEFALLEN: readonly Answer[] = [
  ...HAPPENINGS.map(([name, happenings]) => ({ name, happenings })),
  ...NEW_SHARES.map(([name, share]) => ({ name, shares: [share] })),
].map((one) => ({ ...one, days: 'quiet', changes: 'market', assumptions: LIKED, asks: [] }))
