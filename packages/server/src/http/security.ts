import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refused } from '../accounts/port.ts'

/** Our client needs nothing from elsewhere and no inline code; nobody may frame it. */
const CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const

/** What the policy of a page does not cover: on every script and style the rest outweighed the smaller ones. */
const FILE_HEADERS = {
  'x-content-type-options': HEADERS['x-content-type-options'],
  'cross-origin-resource-policy': HEADERS['cross-origin-resource-policy'],
} as const
const FILES = '/assets/'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])
const DOCS = '/api/docs'

/** Headers on every reply, and no state-changing call that another site's page made a browser send. */
export function secure(app: FastifyInstance, allowedOrigins: readonly string[]): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith(FILES) ? FILE_HEADERS : HEADERS)
    // The documentation's own page carries the policy its scripts need.
    if (request.url.startsWith(DOCS)) reply.removeHeader('content-security-policy')
    if (request.url.startsWith('/api/')) reply.header('cache-control', 'no-store')
    if (request.headers['x-forwarded-proto'] !== undefined && request.protocol === 'https')
      reply.header('strict-transport-security', 'max-age=31536000')
    allowDevelopmentOrigin(request, reply, allowedOrigins)
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
      reply.code(204).send()
    } else if (!READS.has(request.method) && !fromOwnPage(request, allowedOrigins)) {
      done(new Refused('FORBIDDEN', '다른 사이트에서 보낸 요청은 받지 않습니다. Digger 화면에서 다시 해 주세요.'))
    } else done()
  })
}

function allowDevelopmentOrigin(request: FastifyRequest, reply: FastifyReply, allowed: readonly string[]): void {
  const { origin } = request.headers
  if (origin === undefined || !allowed.includes(origin)) return
  reply.headers({
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, POST, PUT, DELETE',
    'access-control-allow-headers': 'content-type',
    vary: 'origin',
  })
}

/** Browsers name the page's origin on every such call. Without one it is a tool, which has no cookie to abuse. */
function fromOwnPage(request: FastifyRequest, allowed: readonly string[]): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return !['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']))
  if (allowed.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host
}
