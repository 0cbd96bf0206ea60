import { KEY_HEADER, LOST_HEADER, Refused } from '@digger/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isGateway } from '@digger/forward'

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

export const SECURITY_HEADERS = {
  'content-security-policy': CSP,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=()',
} as const

/** A script or style is no page and does nothing as one: the rest of the above outweighed the smaller ones. */
const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': SECURITY_HEADERS['x-content-type-options'],
  'cross-origin-resource-policy': SECURITY_HEADERS['cross-origin-resource-policy'],
} as const
const FILES = '/assets/'

/** Browsers that have seen it come by https alone. */
export const STAY_SECURE = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } as const

/** Hosts that people open over TLS, whether or not the proxy in front names the scheme. */
export const secureHosts = (publicUrls: readonly string[]): ReadonlySet<string | undefined> =>
  new Set(publicUrls.filter((url) => url.startsWith('https:')).map((url) => new URL(url).host))

const FOREIGN =
  '다른 사이트에서 보낸 요청은 받지 않습니다. Digger 화면에서 다시 해 주세요. HTTPS 프록시 뒤라면 서버의 PUBLIC_URL에 이 주소가 있어야 합니다.'

const READS = new Set(['GET', 'HEAD', 'OPTIONS'])

export interface Origins {
  /** Origins of other pages that may call, as the development server's. */
  readonly ALLOWED_ORIGINS: readonly string[]
  /** Origins of our own pages, as browsers see them. */
  readonly PUBLIC_URL?: readonly string[]
}

/** Headers on every reply, and no state-changing call that another site's page made a browser send. */
export function secure(app: FastifyInstance, { ALLOWED_ORIGINS, PUBLIC_URL = [] }: Origins): void {
  const known = [...ALLOWED_ORIGINS, ...PUBLIC_URL]
  const overTls = secureHosts(PUBLIC_URL)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(request.url.startsWith(FILES) ? FILE_HEADERS : SECURITY_HEADERS)
    // Files that may be kept say so themselves.
    reply.header('cache-control', 'no-store')
    if (request.protocol === 'https' || overTls.has(request.headers.host)) reply.headers(STAY_SECURE)
    allowDevelopmentOrigin(request, reply, ALLOWED_ORIGINS)
    if (request.method === 'OPTIONS' && request.headers['access-control-request-method']) {
      reply.code(204).send()
    } else if (!READS.has(request.method) && !isGateway(request.socket.remoteAddress) && !fromOwnPage(request, known)) {
      done(new Refused('FORBIDDEN', FOREIGN))
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
    'access-control-allow-headers': `content-type, ${KEY_HEADER}`,
    'access-control-expose-headers': LOST_HEADER,
    vary: 'origin',
  })
}

/** Browsers name the page's origin on every such call. Without one it is a tool, which has no cookie to abuse. */
function fromOwnPage(request: FastifyRequest, known: readonly string[]): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return !['cross-site', 'same-site'].includes(String(request.headers['sec-fetch-site']))
  if (known.includes(origin)) return true
  // Scheme and all: what a page came by, anybody on the way may have written if it was not https.
  const own = `${request.protocol}://${host}`
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin
}
