import type { FastifyInstance } from 'fastify'
import type { Services } from '../services.ts'
import { Admission } from './admission.ts'
import { serveDocs } from './docs.ts'
import { bindEvents } from './events.ts'
import { createFramework } from './framework.ts'
import { type Handlers, proxiesOf, ResponseCache, secure, serveClient } from '@digger/http'
import { bindHealth } from './health.ts'
import { bindMetrics } from './metrics.ts'
import { logRequests, RequestLog } from './request-log.ts'
import { bindCalls } from './route.ts'

/** The whole HTTP side. It does not listen. */
export function buildApp(services: Services, handlers: Handlers): FastifyInstance {
  const isProxy = proxiesOf(services.config.TRUST_PROXY)
  const log = new RequestLog(services.logger, services.wall)
  const admission = new Admission({ services, isProxy, log })
  const responseCache = new ResponseCache()
  const app = createFramework({ services, admission, isProxy })
  logRequests(app, services, log)
  secure(app, services.config)
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
