import { kstDay, tickSize, tradingDayBefore, type AnnouncedAction, type BaseMove } from '@digger/core'
import type { Clock } from '@digger/database'
import type { Timetables } from '../broker/timetable.ts'
import type { Announcements } from './announcements.ts'
import type { ClosingPrice, ClosingPrices } from './closing-prices.ts'

/** One tick is no move: nobody promises that two of the broker's numbers are rounded alike. */
export const isSame = (a: number, b: number): boolean => Math.abs(a - b) <= tickSize(Math.max(a, b), 'stock')

/** How the base of a day lies to the close of the trading day before; undefined: that close is not known. */
export function baseMoveOf(
  day: string,
  base: number,
  closing: ClosingPrice | undefined,
  dayBefore: string,
): BaseMove | null | undefined {
  if (closing === undefined || closing.day !== dayBefore) return undefined
  return isSame(base, closing.close) ? null : { day, close: closing.close, base }
}

/**
 * Before the opening: whether the broker most likely still shows the base, and so the limits, of the day before. When it
 * changes them in the morning nobody has published.
 */
export const isOfDayBefore = (base: number, closing: ClosingPrice | undefined, dayBefore: string): boolean =>
  closing !== undefined && closing.day === dayBefore && base === closing.base && !isSame(base, closing.close)

/**
 * A chart's bar may end with the evening's last price (whether the broker's does nobody has published), which lies close to the
 * regular close: so a close read from one tells of a move only when it is too large for an evening, percent.
 */
const EVENING_PERCENT = 10

/** As `baseMoveOf`, by the chart alone. */
function chartMoveOf(day: string, base: number, close: number): BaseMove | null | undefined {
  if (isSame(base, close)) return null
  return Math.abs(base - close) * 100 > close * EVENING_PERCENT ? { day, close, base } : undefined
}

/** How a base lies to the last regular close; undefined: that is not known. `chart`: what the chart closed with before `day`. */
export type BaseJudge = (
  code: string,
  base: number,
  chart?: { readonly day: string; readonly close: number },
) => BaseMove | null | undefined

export interface JudgeParts {
  readonly closings: Pick<ClosingPrices, 'of'>
  readonly announcements: Pick<Announcements, 'on'>
  readonly timetables: Pick<Timetables, 'current'>
  readonly clock: Pick<Clock, 'now'>
}

/** Judges a base of now by the closes that were kept, else by the chart. What was announced only tells how many shares there are. */
export function judgeBy({ closings, announcements, timetables, clock }: JudgeParts): BaseJudge {
  return (code, base, chart) => {
    const day = kstDay(clock.now())
    const closing = closings.of(code)
    // Most often no close is known: then nothing is searched.
    const seen = closing && baseMoveOf(day, base, closing, tradingDayBefore(day, timetables.current))
    const move = seen === undefined && chart !== undefined ? chartMoveOf(chart.day, base, chart.close) : seen
    return move && withRatio(move, announcements.on(code, move.day))
  }
}

/** By the chart alone. */
export const judgeByChart: BaseJudge = (_code, base, chart) => chart && chartMoveOf(chart.day, base, chart.close)

/** New shares that are paid for move the price less than the count. */
function withRatio(move: BaseMove, announced: AnnouncedAction | undefined): BaseMove {
  if (announced === undefined || announced.paid > 0) return move
  return isSame(move.close / announced.ratio, move.base) ? { ...move, ratio: announced.ratio } : move
}
