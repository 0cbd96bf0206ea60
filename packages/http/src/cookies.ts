import type { IncomingMessage } from 'node:http'
import { HINT_COOKIES } from '@digger/contract'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DEVICE_MAX_AGE_S, SESSION_MAX_AGE_S } from '@digger/identity'

const SESSION_COOKIE = 'digger_session'
const DEVICE_COOKIE = 'digger_device'
/** Browsers take a cookie of such a name only from this very host over TLS: a sibling host cannot plant one. */
const HOST_ONLY = '__Host-'
/** Cookies of one name that are looked at; whoever plants more hides nothing but their own. */
const MAX_TOKENS = 8

/**
 * Each token of a session cookie that came along. Several are possible over plain HTTP only, where another site of the same
 * domain may plant one; the caller decides which is meant.
 */
export const sessionTokens = (request: FastifyRequest): readonly string[] => tokensOf(request, SESSION_COOKIE)

/** The tokens of session cookies before the scheme is known. */
export function sentTokens({ headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>): readonly string[] {
  const own = valuesOf(cookie, HOST_ONLY + SESSION_COOKIE)
  return own.length > 0 ? own : valuesOf(cookie, SESSION_COOKIE)
}

/** The token of the device's cookie; null where there is none or more than one. */
export function deviceToken(request: FastifyRequest): string | null {
  const [token = null, other] = tokensOf(request, DEVICE_COOKIE)
  return other === undefined ? token : null
}

/** Parsed by hand: a page sends a handful of cookies with every request, of which the server needs this one. */
function tokensOf({ headers, protocol }: FastifyRequest, name: string): string[] {
  const { cookie = '' } = headers
  // Whoever sends a host-only cookie came over TLS, whatever the proxy reports.
  const own = cookie.includes(HOST_ONLY + name) ? valuesOf(cookie, HOST_ONLY + name) : []
  return own.length > 0 || protocol === 'https' ? own : valuesOf(cookie, name)
}

function valuesOf(header: string, name: string): string[] {
  const values: string[] = []
  for (const cookie of header.split(';')) {
    const pair = cookie.trimStart()
    if (!pair.startsWith(`${name}=`)) continue
    const value = pair.slice(name.length + 1).trimEnd()
    if (value !== '' && !values.includes(value) && values.length < MAX_TOKENS) values.push(value)
  }
  return values
}

/** Where a proxy does not name the scheme, the origin the browser sent decides: it was checked. */
const isSecure = ({ protocol, headers }: FastifyRequest): boolean =>
  protocol === 'https' || (headers.origin?.startsWith('https://') ?? false)

const options = (request: FastifyRequest): CookieSerializeOptions => ({
  path: '/',
  sameSite: 'lax',
  secure: isSecure(request),
})

export interface LoggedIn {
  readonly userId: string
  readonly email: string
  readonly diggerAdmin: boolean
}

/** The session, out of reach of scripts, and the readable hints the client draws its first picture from. */
export function setCookies(request: FastifyRequest, reply: FastifyReply, token: string, user: LoggedIn): void {
  const readable = { ...options(request), maxAge: SESSION_MAX_AGE_S }
  setOwn(request, reply, SESSION_COOKIE, token, SESSION_MAX_AGE_S)
  reply.setCookie(HINT_COOKIES.email, user.email, readable)
  reply.setCookie(HINT_COOKIES.userId, user.userId, readable)
  if (user.diggerAdmin) {
    reply.setCookie(HINT_COOKIES.diggerAdmin, 'true', readable)
    reply.setCookie(HINT_COOKIES.adminEmail, user.email, readable)
  } else {
    reply.clearCookie(HINT_COOKIES.diggerAdmin, options(request))
    reply.clearCookie(HINT_COOKIES.adminEmail, options(request))
  }
}

/** Outlives the session: a device stays known after a log-out. */
export const setDevice = (request: FastifyRequest, reply: FastifyReply, token: string): void =>
  setOwn(request, reply, DEVICE_COOKIE, token, DEVICE_MAX_AGE_S)

function setOwn(request: FastifyRequest, reply: FastifyReply, name: string, token: string, maxAge: number): void {
  const own = { ...options(request), httpOnly: true, maxAge }
  reply.setCookie(own.secure ? HOST_ONLY + name : name, token, own)
}

export function clearCookies(request: FastifyRequest, reply: FastifyReply): void {
  const session = isSecure(request) ? HOST_ONLY + SESSION_COOKIE : SESSION_COOKIE
  for (const name of [session, ...Object.values(HINT_COOKIES)]) reply.clearCookie(name, options(request))
}
