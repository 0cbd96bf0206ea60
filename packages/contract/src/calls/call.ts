import type { z } from 'zod'
import type { TokenScope } from '../tokens.ts'

/** Who may call: anyone · a logged-in user for themselves (administrators for everyone) · administrators only. */
export type Access = 'anyone' | 'owner' | 'admin'

export interface Call {
  readonly summary: string
  readonly access: Access
  readonly params?: z.ZodObject
  readonly query?: z.ZodObject
  readonly body?: z.ZodType
  readonly reply: z.ZodType
  /** The call needs the user's broker key in memory, else NEED_USERKEY. */
  readonly needsKey?: true
  /** The least scope of an API token that may make this call, for its own person's account. Without it no token may. */
  readonly tokens?: TokenScope
}
