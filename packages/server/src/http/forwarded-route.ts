import { paths, Refused } from '@digger/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Granted, isForwarded } from '@digger/forward'
import type { Services } from '../services.ts'
import { accessHook } from './access-hook.ts'
import { type PlainCall, schemaOf, sessionTokens } from '@digger/http'

/**
 * Binds a call that a gateway sends to a worker: everything but access is settled where the account is. False for one that is carried
 * out here.
 */
export function bindForwarded(app: FastifyInstance, services: Services, name: PlainCall, url: string): boolean {
  const { forwarder } = services.elsewhere ?? {}
  if (forwarder === undefined || !isForwarded(name)) return false
  const access = accessHook(services, name)
  app.route({
    method: paths[name][0],
    url,
    schema: schemaOf(name),
    onRequest: access.hook,
    // The reply comes as the account's owner has made it.
    compress: false,
    handler: async (request, reply) => {
      assertPlain(request.url)
      const granted = access.of(request)
      const { status, headers, body } = await forwarder.forward(name, request, granted)
      if (status === 200) await endHere(services, name, request, granted)
      return reply.code(status).headers(headers).send(body)
    },
  })
  return true
}

/** Whoever carries the call out reads the path anew, with dots and backslashes as browsers read them: it must be the same then. */
function assertPlain(url: string): void {
  const [path = ''] = url.split('?')
  if (new URL(path, 'http://gateway').pathname !== path)
    throw new Refused('INVALID', '주소에 쓸 수 없는 글자가 있습니다. 화면에서 다시 골라 주세요.')
}

/** Sessions and tokens that a worker has ended are not believed here for the seconds that they are remembered. */
async function endHere(
  { sessions, apiTokens, logger }: Services,
  name: PlainCall,
  request: FastifyRequest,
  { userId }: Granted,
) {
  if (name === 'changePassword') {
    sessions.endKnown(userId)
    apiTokens.endKnown(userId)
  }
  if (name !== 'login') return
  const ended = Promise.all(sessionTokens(request).map((token) => sessions.end(token)))
  await ended.catch((error: unknown) => logger?.warn({ err: error }, 'a session that has ended is still remembered'))
}
