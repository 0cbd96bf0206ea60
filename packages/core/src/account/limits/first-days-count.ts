import { addDays } from '../../krx/kst.ts'
import { isTradingDay, type Timetable } from '../../krx/session.ts'
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

/** Counted from the day that was open before: what is known of earlier ones may be forgotten by now. */
export function countFirstDays(builder: StepBuilder, before: string): void {
  const { firstDays } = builder.book.limits
  const { day } = builder.book
  if (firstDays?.on !== true || firstDays.startedOn === null) return
  const passed = tradingDays(before, day, builder.ctx.timetable)
  if (passed === 0) return
  const usedDays = firstDays.usedDays + passed
  const isOver = firstDays.days !== null && usedDays >= firstDays.days
  const next = isOver ? { ...firstDays, ...NOT_BEGUN, on: false } : { ...firstDays, usedDays }
  builder.record({ kind: 'firstDaysSet', firstDays: next })
}

/** From one KST day on, before another. */
function tradingDays(from: string, before: string, timetable: Timetable): number {
  let count = 0
  for (let day = from; day !== '' && day < before; day = addDays(day, 1)) if (isTradingDay(day, timetable)) count += 1
  return count
}
