import { TokenScope } from '@digger/contract'
import { z } from 'zod'

/** What a gateway has settled of a call before it sends it to whoever has the account. */
export const ForwardedCall = z.object({
  /** The same however often it is asked: nothing is done twice. */
  id: z.string(),
  /** Whoever asks waits no longer, epoch ms by the clock of the database: it is not begun later. */
  until: z.number(),
  method: z.enum(['GET', 'POST', 'PUT', 'DELETE', 'PATCH']),
  /** Of the contract: the gateway has settled who may make this call, and no other. */
  name: z.string(),
  /** Path and query. */
  url: z.string(),
  /** Those that the reply depends on. */
  headers: z.record(z.string(), z.string()),
  /** Of whoever asked, as the gateway has them from its proxies. */
  address: z.string(),
  protocol: z.string(),
  /** Null where nobody is logged in. */
  caller: z
    .object({
      id: z.string(),
      userId: z.string(),
      email: z.string(),
      diggerAdmin: z.boolean(),
      token: z.object({ name: z.string(), scope: TokenScope }).exactOptional(),
    })
    .nullable(),
  /** Whose account it is about; empty for a call about none. */
  userId: z.string(),
  /** Whose owner is to carry it out. */
  place: z.string(),
  /** Whether the account must be loaded for it. */
  needsAccount: z.boolean(),
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
/** What log-in and its like look at besides: sessions and devices of the browser, whether its page came by TLS, and what it is. */
export const BROWSER_HEADERS = ['cookie', 'origin', 'user-agent'] as const

/** Status of a reply that says: the account is somebody else's, and nothing was done. */
export const MOVED = 421

/** Stands for the address of a gateway, from which alone a worker's calls come: no socket has one like it. */
export const GATEWAY_ADDRESS = 'gateway'
export const isGateway = (address: string | undefined): boolean => address === GATEWAY_ADDRESS

export const callSubject = (worker: string): string => `digger.call.${worker}`
/** The same for calls that are sealed for the worker. */
export const sealedCallSubject = (worker: string): string => `digger.sealed.${worker}`
