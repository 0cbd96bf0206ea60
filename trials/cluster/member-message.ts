import { z } from 'zod'

/** The time of day of the process is set so far from the true one, ms. */
export const MemberOrder = z.object({ kind: z.literal('clock'), byMs: z.number() })

/** What a worker or gateway reports several times a second. */
export const MemberReport = z.object({
  kind: z.literal('report'),
  /** Accounts that may trade; 0 without a lease. */
  armed: z.number(),
  /** Users whose accounts may begin orders here since the report before, and those who no longer may. */
  came: z.array(z.string()),
  went: z.array(z.string()),
  /** Its name among the workers; null while it has none, and of a gateway. */
  worker: z.string().nullable(),
  /** Epoch ms. */
  at: z.number(),
})
export type MemberReport = z.output<typeof MemberReport>
