import { z } from 'zod'

/** The time of day of the process is set so far from the true one, ms. */
export const MemberOrder = z.object({ kind: z.literal('clock'), byMs: z.number() })

/** What a worker or gateway reports several times a second. */
export const MemberReport = z.object({
  kind: z.literal('report'),
  /** Accounts that may trade; 0 without a lease. */
  armed: z.number(),
  /** Epoch ms. */
  at: z.number(),
})
export type MemberReport = z.output<typeof MemberReport>
