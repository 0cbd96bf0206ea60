import { createServer, type Server } from 'node:http'
import type { FastifyServerFactoryHandler } from 'fastify'
import type { Admission } from './admission.ts'
import { limitConnections } from '@digger/http'

/** Limits of one connection, ms. */
const CONNECTION_OPTIONS = {
  /** A client that sends its headers more slowly than this is not waited for. */
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 72_000,
}

export interface NodeServerDeps {
  readonly admission: Admission
  readonly maxConnections: number
  readonly isProxy: (address: string, hop: number) => boolean
}

/** The one listener. What is not admitted costs a look-up and never becomes a request of the framework. */
export function createNodeServer(handler: FastifyServerFactoryHandler, deps: NodeServerDeps): Server {
  const { admission, maxConnections, isProxy } = deps
  const server = createServer(CONNECTION_OPTIONS, (request, response) => {
    if (admission.admits(request, response)) handler(request, response)
  })
  limitConnections(server, maxConnections, isProxy)
  return server
}
