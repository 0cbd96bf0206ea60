import { tickSize } from '../krx/tick.ts'
import type { AnnouncedAction, BaseMove } from './types.ts'

/** What an issue closed with on a KST day, and the base of that day; won. */
interface DayClose {
  readonly day: string
  readonly close: number
  readonly base: number
}

/** One tick is no move: nobody promises that two of the broker's numbers are rounded alike. */
export const isSameBase = (a: number, b: number): boolean => Math.abs(a - b) <= tickSize(Math.max(a, b), 'stock')

/** How the base of a day lies to the close of the trading day before; undefined: that close is not known. */
export function baseMoveOf(
  day: string,
  base: number,
  closing: DayClose | undefined,
  dayBefore: string,
): BaseMove | null | undefined {
  if (closing === undefined || closing.day !== dayBefore) return undefined
  return isSameBase(base, closing.close) ? null : { day, close: closing.close, base }
}

/**
 * Before the opening: whether the broker most likely still shows the base, and so the limits, of the day before. When it
 * changes them in the morning nobody has published.
 */
export const isOfDayBefore = (base: number, closing: DayClose | undefined, dayBefore: string): boolean =>
  closing !== undefined && closing.day === dayBefore && base === closing.base && !isSameBase(base, closing.close)

/**
 * A chart's bar may end with the evening's last price (whether the broker's does nobody has published), which lies close to the
 * regular close: so a close read from one tells of a move only when it is too large for an evening, percent.
 */
const EVENING_PERCENT = 10

/** What a chart closed with before a day, won. */
export interface ChartClose {
  readonly day: string
  readonly close: number
  /** The day of the close, where that is not the day before: the stock has stood still. */
  readonly since?: string
}

/** As `baseMoveOf`, by the chart alone. */
export function chartMoveOf(base: number, chart: ChartClose): BaseMove | null | undefined {
  if (isSameBase(base, chart.close)) return null
  return Math.abs(base - chart.close) * 100 > chart.close * EVENING_PERCENT ? { ...chart, base } : undefined
}

/** New shares that are paid for move the price less than the count. */
export function withRatio(move: BaseMove, announced: AnnouncedAction | undefined): BaseMove {
  if (announced === undefined || announced.paid > 0) return move
  return isSameBase(move.close / announced.ratio, move.base) ? { ...move, ratio: announced.ratio } : move
}

/** Two moves of one share are one: the later day's base over both ratios. */
export const bothMoves = (before: BaseMove, { day, close, base, ratio }: BaseMove): BaseMove => ({
  day,
  close: Math.round((before.close / before.base) * close),
  base,
  ...(before.ratio === undefined || ratio === undefined ? {} : { ratio: before.ratio * ratio }),
})

/** A move of earlier days that nobody saw then, and that of today. */
export const withPast = (move: BaseMove | null | undefined, past: BaseMove | null): BaseMove | null | undefined =>
  past === null || !move ? (past ?? move) : { ...bothMoves(past, move), parts: [past, move] }

/** What charts show of two days, won: adjusted closes of the day of the last close that was kept and of a later one, and its traded close. */
interface PastBars {
  readonly last: number
  readonly now: number
  readonly close: number
}

/**
 * What became of a share while nobody looked: from the last close that was kept until that of `day`. Whether a chart of adjusted
 * prices holds what happens on the day it is asked nobody has published: both of its days would show it alike. By charts alone,
 * so only what is too large for an evening counts.
 */
export const pastMoveOf = (day: string, kept: Pick<DayClose, 'day' | 'close'>, bars: PastBars): BaseMove | null =>
  chartMoveOf(Math.round((bars.last * bars.close) / bars.now), { day, close: kept.close, since: kept.day }) ?? null

/** What is left of a move since a day without moves after it that are known already. */
export function withoutKnown(move: BaseMove & { readonly since: string }, known: readonly BaseMove[]): BaseMove | null {
  const ours = known.filter(({ day }) => day > move.since && day <= move.day)
  if (ours.length === 0) return move
  const close = ours.reduce((won, one) => (won * one.base) / one.close, move.close)
  return chartMoveOf(move.base, { day: move.day, close: Math.round(close), since: move.since }) ?? null
}
