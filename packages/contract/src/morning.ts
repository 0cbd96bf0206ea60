import { z } from 'zod'
import { instant } from './scalars.ts'

export const MorningState = z.enum(['ok', 'waiting', 'red', 'notApplicable'])

const MorningItem = z.object({
  item: z.enum(['key', 'notices', 'clock', 'hours', 'limits', 'venues', 'base', 'book', 'cash']),
  state: MorningState,
  /** Since when it is known to be so. */
  since: instant.nullable(),
  text: z.string(),
  /** Those it is about, where it is not about the whole account. */
  stocks: z.array(z.object({ code: z.string(), name: z.string() })),
})

/** What an account has before it trades by itself, and what it waits for. */
export const Morning = z.object({
  /** The worst of its items. */
  state: MorningState,
  items: z.array(MorningItem),
  /** Nothing automatic leaves though all may be there: stopped, or only rehearsed. Absent: it does. */
  idle: z.enum(['halt', 'shadow']).exactOptional(),
})
export type Morning = z.infer<typeof Morning>

/** The same in a list of many accounts. */
export const MorningSummary = z.object({
  state: MorningState,
  /** How many of its items are red, and what the first of them says. */
  red: z.int(),
  text: z.string().nullable(),
  idle: Morning.shape.idle,
})
export type MorningSummary = z.infer<typeof MorningSummary>
