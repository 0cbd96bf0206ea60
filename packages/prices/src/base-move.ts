import { baseMoveOf, chartMoveOf, kstDay, tradingDayBefore, withRatio } from '@digger/core'
import type { BaseMove, ChartClose } from '@digger/core'
import type { Clock } from '@digger/database'
import type { Timetables } from './timetable.ts'
import type { Announcements } from './announcements.ts'
import type { ClosingPrices } from './closing-prices.ts'

/** How a base lies to the last regular close; undefined: that is not known. `chart`: what the chart closed with before `day`. */
export type BaseJudge = (code: string, base: number, chart?: ChartClose) => BaseMove | null | undefined

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
    const move = seen === undefined && chart !== undefined ? judgeByChart(code, base, chart) : seen
    return move && withRatio(move, announcements.on(code, move.day))
  }
}

/** By the chart alone. */
export const judgeByChart: BaseJudge = (_code, base, chart) => chart && chartMoveOf(base, chart)
