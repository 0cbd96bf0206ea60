import type { Call } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { Granted } from '@digger/forward'
import { checkAccess } from './access.ts'

/**
 * Settles access in onRequest, before a body is read, and remembers it for the handler; then `allow` may refuse it. What a gateway
 * has granted is granted.
 */
export function accessHook(
  { sessions, database: { db }, grants }: Services,
  call: Call,
  allow: (granted: Granted) => void = () => undefined,
) {
  const grantedOf = new WeakMap<FastifyRequest, Granted>()
  return {
    hook: async (request: FastifyRequest): Promise<void> => {
      const granted = grants?.take(request) ?? (await checkAccess({ db, sessions }, call, request))
      allow(granted)
      grantedOf.set(request, granted)
    },
    of: (request: FastifyRequest): Granted => {
      const granted = grantedOf.get(request)
      if (!granted) throw new Error(`no access decision for ${request.url}`)
      return granted
    },
  }
}
