import { isTradingDay } from '../../krx/session.ts'
import type { StepBuilder } from '../step-builder.ts'
import { NOT_BEGUN } from './first-days.ts'

/** Every stock was ordered by the rules of before: such an account is not made to begin again. */
const isNew = ({ book }: Pick<StepBuilder, 'book'>): boolean =>
  book.limits.firstDays === undefined && book.nextOrderId === 1

/** An account that never ordered begins with what its server's environment asks for. */
export function beginFirstDays(builder: StepBuilder): void {
  const rule = builder.ctx.limits.firstDays
  if (rule === undefined || !isNew(builder)) return
  builder.record({ kind: 'firstDaysSet', firstDays: { ...rule, ...NOT_BEGUN } })
}

/** The day that was open before counts, if it was a trading day: on those since then no server ran, and nothing could be learned. */
export function countFirstDays(builder: StepBuilder, before: string): void {
  const { firstDays } = builder.book.limits
  if (firstDays?.on !== true || firstDays.startedOn === null) return
  if (before === '' || !isTradingDay(before, builder.ctx.timetable)) return
  const usedDays = firstDays.usedDays + 1
  const isOver = firstDays.days !== null && usedDays >= firstDays.days
  const next = isOver ? { ...firstDays, ...NOT_BEGUN, on: false } : { ...firstDays, usedDays }
  builder.record({ kind: 'firstDaysSet', firstDays: next })
}
