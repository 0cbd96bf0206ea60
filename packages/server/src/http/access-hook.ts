import { isFactorRequired } from '@digger/config'
import { type Call, type CallName, calls, Refused } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../services.ts'
import type { Granted } from '@digger/forward'
import { type AccessDeps, checkAccess, forbidden } from '@digger/http'

/** What access is settled by. */
export const accessDepsOf = ({ sessions, apiTokens, database: { db }, config }: Services): AccessDeps => ({
  db,
  sessions,
  apiTokens,
  factorRequired: isFactorRequired(config),
})

/**
 * Settles access in onRequest, before a body is read, and remembers it for the handler; then `allow` may refuse it. What a gateway
 * has granted is granted.
 */
export function accessHook(services: Services, name: CallName, allow: (granted: Granted) => void = () => undefined) {
  const call: Call = calls[name]
  const { tokenRates, grants } = services
  const deps = accessDepsOf(services)
  const countToken = ({ caller }: Granted): void => {
    // A program gone wild must not use up its own stop.
    if (caller?.token && !tokenRates.take(`${caller.id} ${call.tokens}`)) throw new Refused('BUSY', TOO_FAST)
  }
  const grantedOf = new WeakMap<FastifyRequest, Granted>()
  return {
    hook: async (request: FastifyRequest): Promise<void> => {
      const forwarded = grants?.take(request) ?? null
      // The path that came here may have been read as another call's than the one that the gateway has looked at.
      if (forwarded !== null && forwarded.name !== name) throw forbidden()
      const granted = forwarded ?? (await checkAccess(deps, name, request))
      // A gateway has counted.
      if (forwarded === null) countToken(granted)
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

const TOO_FAST = '이 API 토큰의 요청이 너무 잦습니다. 1분에 60번까지 받으니 잠시 뒤 다시 해 주세요.'
