import { z } from 'zod'

/** As believed; another answer, under which trading goes on all the same; other than what Digger decides by; not there; left out. */
export const FindingLevel = z.enum(['ok', 'note', 'wrong', 'notOffered', 'notTried'])
export type FindingLevel = z.infer<typeof FindingLevel>

const Finding = z.object({
  level: FindingLevel,
  text: z.string(),
  /** Technical: the broker's names, what was believed, what came, and where the belief comes from. */
  fields: z.array(z.string()).optional(),
  believed: z.string().optional(),
  came: z.string().optional(),
  source: z.string().optional(),
})

export const ConnectionCheck = z.object({
  /** Null: none runs. */
  running: z.object({ done: z.int(), total: z.int(), name: z.string().nullable() }).nullable(),
  /** Of the last one that ended; null: there was none. */
  checkedAt: z.iso.datetime({ offset: true }).nullable(),
  checks: z.array(z.object({ name: z.string(), findings: z.array(Finding) })),
})
export type ConnectionCheck = z.infer<typeof ConnectionCheck>
