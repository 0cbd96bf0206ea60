import { constants } from 'node:zlib'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import type { Admission } from './admission.ts'
import { createNodeServer } from './node-server.ts'
import { onError, refuseUnread, secureHosts, serializerOf } from '@digger/http'

/** The largest body of the contract is a stock's settings. */
const BODY_LIMIT_BYTES = 64 * 1024

export interface FrameworkDeps {
  readonly services: Pick<Services, 'logger' | 'requestLimits' | 'config'>
  readonly admission: Admission
  readonly isProxy: (address: string, hop: number) => boolean
}

/** Fastify on the server that admission stands in, with its plugins, body parsers and error replies, and without a route. */
export function createFramework({ services, admission, isProxy }: FrameworkDeps): FastifyInstance {
  const { logger, requestLimits, config } = services
  const isSecure = secureHosts(config.PUBLIC_URL ?? []).size > 0
  const app = fastify({
    serverFactory: (handler) =>
      createNodeServer(handler, { admission, isProxy, maxConnections: requestLimits.connections }),
    ...(logger ? { loggerInstance: logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request costs more than the request; lines name it themselves.
    childLoggerFactory: (parent) => parent,
    routerOptions: { maxParamLength: 64 },
    // A HEAD of the live stream would hold a connection on which nothing ever comes.
    exposeHeadRoutes: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: isProxy,
    // Streams stay open for hours: closing the server closes them.
    forceCloseConnections: true,
    clientErrorHandler: (error, socket) => refuseUnread(error, socket, isSecure),
    // A path the router cannot read or finds too long never reaches the error handler below.
    frameworkErrors: (error, request, reply) => void onError(error, request, reply),
  })
  // The contract's zod is the one judge of input; schemas given to routes are for the document and the serialisers.
  app.setValidatorCompiler(() => () => true)
  app.setSerializerCompiler<object>(serializerOf)
  app.setErrorHandler(onError)
  app.register(cookie, { hook: false })
  app.register(compress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    // Bodies are small and come as they are.
    globalDecompression: false,
  })
  parseBodies(app)
  return app
}

/** Most writes have no body, whatever their content type says. */
function parseBodies(app: FastifyInstance): void {
  app.removeContentTypeParser('application/json')
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, text, done) => {
    if (text.trim() === '') done(null, undefined)
    else void parse(request, text, done)
  })
  app.addContentTypeParser<string>('text/plain', { parseAs: 'string' }, (_request, text, done) => {
    if (text.trim() === '') done(null, undefined)
    else done(Object.assign(new Error('JSON only'), { statusCode: 415 }))
  })
}
