import type { SimOptions } from '@digger/kis-sim'

export type Assumptions = Required<NonNullable<SimOptions['assumptions']>>

/**
 * What another answer may change. `telling`: only how the broker tells what happened, so the trades stay the same to the won.
 * `market`: what happens at the exchanges; then every missing trade has to follow a fact of the exchange in its stock.
 * `costs`: the same trades, and the broker keeps another tax, as its own list of fills says.
 * `unasked`: Digger never asks; that it does not is looked at in every run, and each answer is tried on the wire.
 * `line`: the line between client and broker; time stands still while they talk here, so these are tried where it does not.
 */
export type Changes = 'telling' | 'market' | 'costs' | 'unasked' | 'line'

/** Days on which nothing befalls the market, and others. */
export type Days = 'quiet' | 'eventful'

interface Question<Answer> {
  readonly changes: Changes
  /** The answer one would like, first; then every other one. */
  readonly answers: readonly [Answer, ...Answer[]]
  /** The days on which it comes up. Default: the quiet ones. */
  readonly days?: Days
  /** Digger keeps to the strictest answer of itself, so that the question does not come up. */
  readonly kept?: true
  /** Where a question is tried that no replay asks. */
  readonly triedIn?: string
}

const ON_THE_WIRE = 'packages/kis-sim/test/assumptions.test.ts'

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
  noticeCoversOtherKeys: { changes: 'telling', answers: [false, true] },
  olderTokenDies: { changes: 'telling', answers: [false, true] },
  openingAuctionFrom: { changes: 'telling', answers: ['08:20', '08:30'] },
  lateDayEnds: { changes: 'telling', answers: ['20:00', '21:00'] },
  baseShownFrom: { changes: 'telling', answers: ['00:00', '08:00', '08:30'] },
  statusShown: { changes: 'telling', answers: ['codes', 'blank', 'newCode'] },
  laterTicksShow: { changes: 'telling', answers: ['both', 'time', 'volume'] },
  baseRounding: { changes: 'telling', days: 'eventful', answers: ['nearest', 'down', 'up'] },
  afterMarketRefusedAs: { changes: 'telling', days: 'eventful', answers: ['hours', 'issue'] },
  nxtStopRefusedAs: { changes: 'telling', days: 'eventful', answers: ['untradable', 'halted'] },
  overheatedElsewhere: { changes: 'telling', days: 'eventful', answers: ['barred', 'traded'] },
  venuePrices: { changes: 'market', answers: ['shared', 'own'] },
  phone: { changes: 'market', answers: ['silent', 'ordinary'] },
  taxTruncation: { changes: 'costs', answers: ['together', 'each'] },
  etfIncomeTax: { changes: 'costs', answers: ['none', 'withheld'] },
  balanceByIssue: {
    changes: 'unasked',
    answers: ['answered', 'refused'],
    triedIn: 'packages/kis-sim/test/foreign-clients.test.ts',
  },
  cancelOnOtherVenue: { changes: 'unasked', answers: ['accept', 'refuse'], triedIn: ON_THE_WIRE },
  oldIdsReachNxt: { changes: 'unasked', answers: [true, false], triedIn: ON_THE_WIRE },
  sorAfterMarket: { changes: 'unasked', answers: [true, false], triedIn: ON_THE_WIRE },
  doubledSlash: {
    changes: 'unasked',
    answers: ['taken', 'notFound'],
    triedIn: 'packages/kis-sim/test/foreign-clients.test.ts',
  },
  minutesAtMidnight: {
    changes: 'unasked',
    answers: ['latest', 'none'],
    triedIn: 'packages/kis-sim/test/foreign-clients.test.ts',
  },
  // Asked by what keeps candles, which orders nothing.
  pastMinutesBack: { changes: 'unasked', answers: [365, 30], triedIn: 'packages/kis-sim/test/past-charts.test.ts' },
  pastMinutePrices: {
    changes: 'unasked',
    answers: ['adjusted', 'traded'],
    triedIn: 'packages/kis-sim/test/past-charts.test.ts',
  },
  replyTime: { changes: 'line', answers: ['dated', 'undated'], triedIn: 'packages/engine/test/unknown-time.test.ts' },
  // Asked only after days without a server.
  chartAdjustedFrom: {
    changes: 'unasked',
    answers: ['exDay', 'dayAfter'],
    triedIn: 'packages/engine/test/days-away.test.ts',
  },
  keyInUse: { changes: 'line', answers: ['displace', 'refuse'], triedIn: ON_THE_WIRE },
  // The client asks for no second token within a minute, whatever the broker would say (token-renewal.test.ts).
  tokenPauseMs: { changes: 'line', kept: true, answers: [1_000, 60_000], triedIn: ON_THE_WIRE },
  noticeKey: { changes: 'line', answers: ['given', 'absent'], triedIn: 'packages/doctor/test/socket.test.ts' },
  callsPerSecond: {
    changes: 'line',
    answers: [
      { real: 18, paper: 1 },
      { real: 3, paper: 1 },
    ],
    triedIn: 'packages/kis-sim/test/limits.test.ts',
  },
  ledgerCallsPerSecond: {
    changes: 'line',
    kept: true,
    answers: [0, 1],
    triedIn: 'packages/kis-sim/test/limits.test.ts',
  },
  pingPongMs: { changes: 'line', answers: [[5_000, 60_000]], triedIn: ON_THE_WIRE },
  pongTimeoutMs: { changes: 'line', answers: [100_000], triedIn: ON_THE_WIRE },
  socketReleaseMs: { changes: 'line', answers: [0, 30_000], triedIn: ON_THE_WIRE },
  idleConnectionMs: { changes: 'line', answers: [75_000, 300_000], triedIn: 'simulation/cluster/stage.ts' },
}

export type QuestionName = keyof typeof QUESTIONS

export const questions = (wanted: Changes): [QuestionName, Question<unknown>][] =>
  Object.entries<Question<unknown>>(QUESTIONS)
    .filter((entry): entry is [QuestionName, Question<unknown>] => entry[0] in QUESTIONS)
    .filter(([, { changes }]) => changes === wanted)

/** The nth answer to every question of a kind, the last one where there are fewer. */
export const chosen = (which: Changes, nth: number): Partial<Assumptions> =>
  Object.fromEntries(questions(which).map(([name, { answers }]) => [name, answers[nth] ?? answers.at(-1)]))
