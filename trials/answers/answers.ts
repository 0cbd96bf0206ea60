import type { SimOptions } from '@digger/kis-sim'

type Assumptions = Required<NonNullable<SimOptions['assumptions']>>

/**
 * What another answer may change. `telling`: only how the broker tells what happened, so the trades stay the same to the won.
 * `line`: the line between client and broker; time stands still while they talk here, so these are tried where it does not.
 */
interface Question<Answer> {
  readonly changes: 'telling' | 'line'
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
  keyInUse: { changes: 'telling', answers: ['displace', 'refuse'] },
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
}

/** The broker as one would like it: the first answer to every question that a replay can ask. */
export const PLEASANT: Answer = { name: 'all pleasant', assumptions: chosen((answers) => answers[0]) }

/** Brokers that give the second answer to every question, the third, and so on; the last one where there are fewer. */
export const TOGETHER: readonly Answer[] = range(
  1,
  Math.max(...askable().map(([, { answers }]) => answers.length)),
).map((n) => ({ name: `every answer number ${n + 1}`, assumptions: chosen((answers) => answers[n] ?? answers.at(-1)) }))

/** One unpleasant answer after the other, everything else pleasant. */
export const ANSWERS: readonly Answer[] = askable().flatMap(([name, { answers }]) =>
  answers.slice(1).map((answer) => ({
    name: `${name}: ${JSON.stringify(answer)}`,
    assumptions: { ...PLEASANT.assumptions, [name]: answer },
  })),
)

function range(from: number, end: number): number[] {
  return Array.from({ length: end - from }, (_, n) => from + n)
}

function askable(): [string, Question<unknown>][] {
  return Object.entries<Question<unknown>>(QUESTIONS).filter(([, { changes }]) => changes !== 'line')
}

function chosen(choose: (answers: readonly unknown[]) => unknown): Partial<Assumptions> {
  return Object.fromEntries(askable().map(([name, { answers }]) => [name, choose(answers)]))
}
