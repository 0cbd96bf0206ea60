import { actionsOf, withNewShares } from '../replay/new-share.ts'
import type { ReplayPlan } from '../replay/plan.ts'
import { replay, type ReplayResult } from '../replay/replay.ts'
import { fillHash } from '../replay/report.ts'
import type { Answer } from './answers.ts'
import { costsExplained } from './costs.ts'
import { factOf, fillsOf, phoneFacts, type ExchangeFact, type Fill } from './facts.ts'
import { problemsBesidePhone, sharesByPhone } from './phone.ts'

/** What became of the same days under one answer. */
export interface Row {
  readonly answer: Pick<Answer, 'name' | 'days' | 'changes'>
  readonly trades: number
  /** What was bought and sold, with the instants in which the book learned of it, per code. */
  readonly hashes: ReadonlyMap<string, string>
  readonly fills: readonly Fill[]
  /** What the exchange knows that may change trades, as far as this answer brought it. */
  readonly facts: readonly ExchangeFact[]
  /** How often each question came up that this row is about. */
  readonly asked: ReadonlyMap<string, number>
  readonly stopped: readonly string[]
  /** Stopped as it should be: the share has become another one, or its owner has traded it by phone, and only they can settle it. */
  readonly forOwner: readonly string[]
  readonly missing: readonly string[]
  readonly problems: readonly string[]
}

/** What nights with closed lists and days without trading bring with them, under every answer. */
const OF_THE_NIGHT = /마감 작업|^fill of \d{8}\/\d+ at \d+ booked/

export async function rowOf(answer: Answer, plan: ReplayPlan, watched: readonly string[]): Promise<Row> {
  const { assumptions, shares = [], clockAheadMs = 0 } = answer
  const given = plan.happenings ?? []
  const more = [...(answer.happenings ?? []), ...actionsOf(shares)]
  const aside = new Map<string, number>()
  const result = await replay({
    ...plan,
    candles: withNewShares(plan.candles, shares),
    assumptions,
    happenings: [...given, ...more],
    clockAheadMs,
    onPrint: ({ code, venue, price, otherPrice, at }) => {
      if (venue === 'NXT' && price !== otherPrice && !aside.has(code)) aside.set(code, at)
    },
  })
  const { book, truth, stopped, missing } = result
  const merged = more.flatMap((happening) => (happening.kind === 'merged' ? [happening.code, happening.into] : []))
  const traded = new Set([...merged, ...sharesByPhone(truth).keys()])
  const isForOwner = (text: string): boolean => traded.has(text.split(': ', 1)[0] ?? '')
  const problems = problemsOf(answer, result)
  const ownPrices = [...aside].map(([code, at]) => ({ code, at, what: 'NXT trades at a price of its own' }))
  return {
    answer,
    trades: book.orders.filter((order) => order.filled_count > 0).length,
    hashes: hashesOf(result),
    fills: fillsOf(truth),
    facts: [...more.flatMap(factOf), ...phoneFacts(truth), ...ownPrices],
    asked: new Map(watched.map((name) => [name, result.decided(name)])),
    stopped: stopped.filter((text) => !isForOwner(text)),
    forOwner: [...stopped, ...problems].filter(isForOwner),
    missing,
    problems: problems.filter((text) => !isForOwner(text)),
  }
}

function hashesOf({ book }: ReplayResult): ReadonlyMap<string, string> {
  return new Map(
    [...book.issues.keys()].map((code) => {
      const isOf = (row: { readonly code: string }): boolean => row.code === code
      return [code, fillHash({ ...book, orders: book.orders.filter(isOf), trades: book.trades.filter(isOf) })]
    }),
  )
}

function problemsOf({ changes }: Answer, result: ReplayResult): string[] {
  const problems = problemsBesidePhone(result).filter((text) => !OF_THE_NIGHT.test(text))
  return changes === 'costs' ? costsExplained(problems, result) : problems
}
