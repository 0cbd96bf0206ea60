import { isFactorRequired } from '@digger/config'
import { type CallName, calls } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { Granted } from '@digger/forward'
import { checkAccess, forbidden } from '@digger/http'

/**
 * Settles access in onRequest, before a body is read, and remembers it for the handler; then `allow` may refuse it. What a gateway
 * has granted is granted.
 */
export function accessHook(
  { sessions, database: { db }, grants, config }: Services,
  name: CallName,
  allow: (granted: Granted) => void = () => undefined,
) {
  const call = calls[name]
  const deps = { db, sessions, factorRequired: isFactorRequired(config) }
  const grantedOf = new WeakMap<FastifyRequest, Granted>()
  return {
    hook: async (request: FastifyRequest): Promise<void> => {
      const forwarded = grants?.take(request) ?? null
      // The path that came here may have been read as another call's than the one that the gateway has looked at.
      if (forwarded !== null && forwarded.name !== name) throw forbidden()
      const granted = forwarded ?? (await checkAccess(deps, name, request))
      if (call.access === 'admin' && granted.caller?.diggerAdmin !== true) throw forbidden()
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
