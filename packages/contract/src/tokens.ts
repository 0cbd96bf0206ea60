import { z } from 'zod'
import { instant } from './scalars.ts'

/** What a program may do with it: look at its person's own account, or make that stop as well. It never orders. */
export const TokenScope = z.enum(['read', 'stop'])
export type TokenScope = z.infer<typeof TokenScope>

/** A secret as it is made: its scope, for whoever reads it, and 256 random bits. */
export const TOKEN_SECRET = /^digger_(read|stop)_[\w-]{43}$/

/** How long it may be good for, days. */
export const TOKEN_DAYS = [7, 30, 90, 365] as const
/** Living ones of one person. */
export const MAX_TOKENS = 20

export const ApiToken = z.object({
  id: z.int(),
  name: z.string(),
  scope: TokenScope,
  createdAt: instant,
  expiresAt: instant,
  /** Last use, to the minute, and the address that it came from; null: none yet. */
  usedAt: instant.nullable(),
  usedFrom: z.string().nullable(),
})
export type ApiToken = z.infer<typeof ApiToken>
