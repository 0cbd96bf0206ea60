import { z } from 'zod'

/** What a gateway has settled of a call before it sends it to whoever has the account. */
export const ForwardedCall = z.object({
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']),
  /** Path and query. */
  url: z.string(),
  /** Those that the reply depends on. */
  headers: z.record(z.string(), z.string()),
  address: z.string(),
  caller: z.object({ id: z.string(), userId: z.string(), email: z.string(), diggerAdmin: z.boolean() }),
  /** Whose account it is. */
  userId: z.string(),
})
export type ForwardedCall = z.output<typeof ForwardedCall>

export const ForwardedReply = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
  /** The account left while the call was under way, or its commit has no answer: whether it was done shows when it is asked again. */
  isLost: z.boolean().default(false),
})
export type ForwardedReply = z.output<typeof ForwardedReply>

/** Headers of a request that its reply depends on. */
export const REQUEST_HEADERS = ['if-none-match', 'accept-encoding', 'content-type'] as const

/** Status of a reply that says: the account is somebody else's, and nothing was done. */
export const MOVED = 421

export const callSubject = (worker: string): string => `digger.call.${worker}`
