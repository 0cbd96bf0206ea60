import { z } from 'zod'
import { day, instant } from './entities.ts'

const second = z.int().min(0).max(86_399)
/** Seconds of the KST day. */
export const DayHours = z.strictObject({
  opensAt: second,
  closesAt: second,
  /** NXT's pre-market begins; null: there is none that day. */
  preMarketAt: second.nullable(),
})
/** A day of the exchange: closed, like any other, or with hours of its own. */
export const DayCorrection = z.union([z.literal('closed'), z.literal('normal'), DayHours])
export type DayCorrection = z.infer<typeof DayCorrection>

/** A weekday that is not like any other, or that an operator has spoken of. */
export const CalendarDay = z.object({
  day,
  is: DayCorrection,
  /** Who says so: the days that Digger brings, the broker's list, or an operator, who goes before both. */
  source: z.enum(['shipped', 'broker', 'operator']),
  /** How it would be without the operator; absent: no operator has spoken of it. */
  otherwise: DayCorrection.optional(),
  /** Which operator, and when. */
  correctedBy: z.object({ by: z.string(), at: instant }).nullable(),
})
export type CalendarDay = z.infer<typeof CalendarDay>
export const Calendar = z.object({
  /** `always`: this server's exchange knows no hours, so that none of these days counts. */
  hours: z.enum(['always', 'krx']),
  /** The year whose days ought to be known by now and are not. */
  missingYear: z.int().nullable(),
  /** Of this year and the next. */
  days: z.array(CalendarDay),
})
