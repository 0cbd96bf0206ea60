import type { Happening, SimOptions } from '@digger/kis-sim'
import type { NewShare } from '../replay/new-share.ts'
import { HAPPENINGS, NEW_SHARES } from './happenings.ts'

type Assumptions = Required<NonNullable<SimOptions['assumptions']>>

/**
 * What another answer may change. `telling`: only how the broker tells what happened, so the trades stay the same to the won.
 * `market`: what happens at the exchanges; then every difference has to lie in a stock that it befell.
 * `line`: the line between client and broker; time stands still while they talk here, so these are tried where it does not.
 */
interface Question<Answer> {
  readonly changes: 'telling' | 'market' | 'line'
  /** The answer one would like, first; then every other one. */
  readonly answers: readonly [Answer, ...Answer[]]
  /** Where a `line` question is tried. */
  readonly triedIn?: string
}

/** Every assumption about the broker with its answers: one that is missing here does not compile. */
export const QUESTIONS: { readonly [Name in keyof Assumptions]: Question<Assumptions[Name]> } = {
  expiredShownAs: { changes: 'telling', answers: ['cancelled', 'rejected', 'nothing', 'remaining'] },
  expiredShownFrom: { changes: 'telling', answers: ['end', 'evening', 'midnight'] },
  expiryNotice: { changes: 'telling', answers: [true, false] },
  cancelledShownOn: { changes: 'telling', answers: ['original', 'change', 'both'] },
  dayRanges: { changes: 'telling', answers: ['answered', 'refusedOverHolidays', 'refused'] },
  changedListBreaks: { changes: 'telling', answers: [false, true] },
  rowsTwice: { changes: 'telling', answers: [false, true] },
  unpricedShownAt: { changes: 'telling', answers: ['zero', 'paidPrice'] },
  queryNumbers: { changes: 'telling', answers: ['zeros', 'spaces'] },
  noOriginal: { changes: 'telling', answers: ['empty', 'zeros'] },
  balanceByIssue: { changes: 'telling', answers: ['answered', 'refused'] },
  noticeCoversOtherKeys: { changes: 'telling', answers: [false, true] },
  cancelOnOtherVenue: { changes: 'telling', answers: ['accept', 'refuse'] },
  oldIdsReachNxt: { changes: 'telling', answers: [true, false] },
  sorAfterMarket: { changes: 'telling', answers: [true, false] },
  openingAuctionFrom: { changes: 'telling', answers: ['08:20', '08:30'] },
  lateDayEnds: { changes: 'telling', answers: ['20:00', '21:00'] },
  doubledSlash: { changes: 'telling', answers: ['taken', 'notFound'] },
  minutesAtMidnight: { changes: 'telling', answers: ['latest', 'none'] },
  olderTokenDies: { changes: 'telling', answers: [false, true] },
  tokenPauseMs: { changes: 'telling', answers: [1_000, 60_000] },
  baseShownFrom: { changes: 'telling', answers: ['00:00', '08:00', '08:30'] },
  baseRounding: { changes: 'telling', answers: ['nearest', 'down', 'up'] },
  afterMarketRefusedAs: { changes: 'telling', answers: ['hours', 'issue'] },
  nxtStopRefusedAs: { changes: 'telling', answers: ['untradable', 'halted'] },
  overheatedElsewhere: { changes: 'telling', answers: ['barred', 'traded'] },
  venuePrices: { changes: 'market', answers: ['shared', 'own'] },
  phone: { changes: 'market', answers: ['silent', 'ordinary'] },
  keyInUse: { changes: 'telling', answers: ['displace', 'refuse'] },
  // Our book does not know these two yet (what it calls net is before the tax on gains): cash would differ by a won and more.
  taxTruncation: { changes: 'line', answers: ['together', 'each'], triedIn: 'packages/kis-sim/test/costs.test.ts' },
  etfIncomeTax: { changes: 'line', answers: ['none', 'withheld'], triedIn: 'packages/kis-sim/test/costs.test.ts' },
  callsPerSecond: {
    changes: 'line',
    answers: [
      { real: 18, paper: 1 },
      { real: 3, paper: 1 },
    ],
    triedIn: 'packages/kis-sim/test/limits.test.ts',
  },
  ledgerCallsPerSecond: { changes: 'line', answers: [0, 1], triedIn: 'packages/kis-sim/test/limits.test.ts' },
  pingPongMs: { changes: 'line', answers: [[5_000, 60_000]], triedIn: 'packages/kis-sim/test/socket.test.ts' },
  pongTimeoutMs: { changes: 'line', answers: [100_000], triedIn: 'packages/kis-sim/test/socket.test.ts' },
  socketReleaseMs: { changes: 'line', answers: [0, 30_000], triedIn: 'packages/kis-sim/test/socket.test.ts' },
}

export interface Answer {
  readonly name: string
  readonly assumptions: Partial<Assumptions>
  readonly happenings?: readonly Happening[]
  readonly shares?: readonly NewShare[]
  /** Whether the trades must be those of the pleasant answers. */
  readonly changes: 'telling' | 'market'
}

/** The broker as one would like it: the first answer to every question that a replay can ask. */
export const PLEASANT: Answer = {
  name: 'all pleasant',
  changes: 'telling',
  assumptions: { ...chosen('telling', 0), ...chosen('market', 0) },
}

/** Brokers that tell everything in the second way, the third, and so on; the last one where there are fewer. */
export const TOGETHER: readonly Answer[] = Array.from({ length: mostAnswers() - 1 }, (_, n) => ({
  name: `everything told in way ${n + 2}`,
  changes: 'telling',
  assumptions: { ...PLEASANT.assumptions, ...chosen('telling', n + 1) },
}))

/** One other answer after the other, everything else pleasant. */
export const ANSWERS: readonly Answer[] = (['telling', 'market'] as const).flatMap((changes) =>
  questions(changes).flatMap(([name, { answers }]) =>
    answers.slice(1).map((answer) => ({
      name: `${name}: ${JSON.stringify(answer)}`,
      changes,
      assumptions: { ...PLEASANT.assumptions, [name]: answer },
    })),
  ),
)

/** What befalls the market on one of the days, everything else pleasant. */
export const BEFALLEN: readonly Answer[] = [
  ...HAPPENINGS.map(([name, happenings]) => ({ name, happenings })),
  ...NEW_SHARES.map(([name, share]) => ({ name, shares: [share] })),
].map((one) => ({ ...one, changes: 'market', assumptions: PLEASANT.assumptions }))

function questions(wanted: Question<unknown>['changes']): [string, Question<unknown>][] {
  return Object.entries<Question<unknown>>(QUESTIONS).filter(([, { changes }]) => changes === wanted)
}

function mostAnswers(): number {
  return Math.max(...questions('telling').map(([, { answers }]) => answers.length))
}

function chosen(which: 'telling' | 'market', nth: number): Partial<Assumptions> {
  return Object.fromEntries(questions(which).map(([name, { answers }]) => [name, answers[nth] ?? answers.at(-1)]))
}
