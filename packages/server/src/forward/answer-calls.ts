import type { Bus } from '@digger/cluster'
import { LOST_HEADER } from '@digger/contract'
import type { FastifyInstance } from 'fastify'
import { callSubject, ForwardedCall, MOVED } from './forwarded-call.ts'
import { pack, unpack } from './frame.ts'
import type { ForwardedGrants } from './grants.ts'

export interface AnswerParts {
  readonly bus: Bus
  readonly app: FastifyInstance
  readonly grants: ForwardedGrants
  /** Whether the user's account is here. */
  readonly has: (userId: string) => Promise<boolean>
}

/** A worker answers the calls of its accounts with the very routes that serve them in one process. Returns the way to end it. */
export function answerCalls(worker: string, { bus, app, grants, has }: AnswerParts): () => void {
  return bus.answer(callSubject(worker), async (message) => {
    const { head, body } = unpack(message)
    const { caller, userId, address, ...call } = ForwardedCall.parse(head)
    if (!(await has(userId))) return pack({ status: MOVED, headers: {} }, Buffer.alloc(0))
    const { statusCode, headers, rawPayload } = await app.inject({
      method: call.method,
      url: call.url,
      headers: { ...call.headers, ...grants.give({ caller, userId }) },
      remoteAddress: address,
      ...(body.length === 0 ? {} : { payload: body }),
    })
    const kept = Object.entries(headers).filter(([name, value]) => value !== undefined && !OWN_HEADERS.has(name))
    // Whoever lost the account meanwhile may have said so in many ways. A database that is away has lost none.
    const isLost = headers[LOST_HEADER] !== undefined || (statusCode >= 400 && !(await has(userId).catch(() => true)))
    return pack({ status: statusCode, headers: Object.fromEntries(kept), isLost }, rawPayload)
  })
}

/** What the gateway's own answer has, and the length that it counts itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-security-policy',
  'date',
  'keep-alive',
  'permissions-policy',
  'referrer-policy',
  'strict-transport-security',
  'transfer-encoding',
  'x-content-type-options',
  'x-frame-options',
])
