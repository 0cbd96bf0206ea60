import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { SECURITY_HEADERS } from './security.ts'

const PATHS: ReadonlySet<string> = new Set(['/health', '/metrics'])
/** Whoever watches this machine asks one by one. */
const MAX_CONNECTIONS = 20

/** A worker answers nobody but whoever watches it, on this machine, and nothing but how it is. */
export async function listenForHealth(app: FastifyInstance, port: number): Promise<Server> {
  const server = createServer((request, response) => void answer(app, request, response))
  server.maxConnections = MAX_CONNECTIONS
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function answer(app: FastifyInstance, request: IncomingMessage, response: ServerResponse): Promise<void> {
  for (const [name, value] of Object.entries({ ...SECURITY_HEADERS, 'cache-control': 'no-store' }))
    response.setHeader(name, value)
  const [path = ''] = (request.url ?? '').split('?')
  if (request.method !== 'GET' || !PATHS.has(path)) return void response.writeHead(404).end()
  try {
    // As it is: nobody far away reads it.
    const headers = { ...request.headers, 'accept-encoding': 'identity' }
    const remoteAddress = request.socket.remoteAddress ?? ''
    const reply = await app.inject({ method: 'GET', url: path, headers, remoteAddress })
    response.writeHead(reply.statusCode, { 'content-type': reply.headers['content-type'] ?? 'text/plain' })
    response.end(reply.payload)
  } catch {
    response.writeHead(503).end()
  }
}
