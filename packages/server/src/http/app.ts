import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import proxyAddr from '@fastify/proxy-addr'
import { constants } from 'node:zlib'
import fastify, { LogController, type FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { Admission } from './admission.ts'
import { serveDocs } from './docs.ts'
import { bindEvents } from './events.ts'
import type { Handlers } from './handler.ts'
import { bindHealth } from './health.ts'
import { bindMetrics } from './metrics.ts'
import { createNodeServer } from './node-server.ts'
import { onError } from './problem.ts'
import { bindCalls } from './route.ts'
import { logRequests, RequestLog } from './request-log.ts'
import { ResponseCache } from './response-cache.ts'
import { secure } from './security.ts'
import { serveClient } from './static.ts'

/** The largest body of the contract is a stock's settings. */
const BODY_LIMIT_BYTES = 64 * 1024

/** The whole HTTP side. It does not listen. */
export function buildApp(services: Services, handlers: Handlers): FastifyInstance {
  const isProxy = proxyAddr.compile(services.config.TRUST_PROXY.split(',').map((one) => one.trim()))
  const log = new RequestLog(services.logger, services.wall)
  const admission = new Admission({ services, isProxy, log })
  const responseCache = new ResponseCache()
  const app = fastify({
    serverFactory: (handler) =>
      createNodeServer(handler, { admission, isProxy, maxConnections: services.requestLimits.connections }),
    ...(services.logger ? { loggerInstance: services.logger } : { logger: false }),
    logController: new LogController({ disableRequestLogging: true }),
    // A logger of its own for each request costs more than the request; lines name it themselves.
    childLoggerFactory: (logger) => logger,
    routerOptions: { maxParamLength: 64 },
    // A HEAD of the live stream would hold a connection that never says anything.
    exposeHeadRoutes: false,
    bodyLimit: BODY_LIMIT_BYTES,
    trustProxy: isProxy,
    // Streams stay open for hours: closing the server closes them.
    forceCloseConnections: true,
    // A path the router cannot read or finds too long never reaches the handlers above.
    frameworkErrors: (error, request, reply) => void onError(error, request, reply),
  })
  // The contract's zod is the one judge of input; schemas given to routes are for the document and the serialisers.
  app.setValidatorCompiler(() => () => true)
  app.setErrorHandler(onError)
  logRequests(app, services, log)
  secure(app, services.config)
  app.register(cookie, { hook: false })
  app.register(compress, {
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    // Bodies are small and come as they are.
    globalDecompression: false,
  })
  readBodies(app)
  serveDocs(app, services)
  app.register(async (scope) => {
    bindCalls(scope, services, handlers, responseCache)
    bindEvents(scope, services)
    bindHealth(scope, services)
    bindMetrics(scope, services, responseCache)
  })
  app.addHook('onResponse', (request, _reply, done) => {
    admission.learn(request)
    done()
  })
  serveClient(app, services.webDir)
  return app
}

/** Most writes have no body, whatever their content type says. */
function readBodies(app: FastifyInstance): void {
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
