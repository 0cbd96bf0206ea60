import { HINT_COOKIES } from '@digger/contract'
import type { CookieSerializeOptions } from '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { SESSION_MAX_AGE_S } from '../users/sessions.ts'

const SESSION_COOKIE = 'digger_session'

const SESSION_START = `${SESSION_COOKIE}=`

/** Read by itself: a page sends a handful of cookies with every request, of which the server needs this one. */
export function sessionToken({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  for (const cookie of headers.cookie?.split(';') ?? []) {
    const pair = cookie.trimStart()
    if (pair.startsWith(SESSION_START)) return pair.slice(SESSION_START.length).trimEnd() || null
  }
  return null
}

const options = (request: FastifyRequest): CookieSerializeOptions => ({
  path: '/',
  sameSite: 'lax',
  secure: request.protocol === 'https',
  maxAge: SESSION_MAX_AGE_S,
})

export interface LoggedIn {
  readonly userId: string
  readonly email: string
  readonly diggerAdmin: boolean
}

/** The session, out of reach of scripts, and the readable hints the client draws its first picture from. */
export function setCookies(request: FastifyRequest, reply: FastifyReply, token: string, user: LoggedIn): void {
  const readable = options(request)
  reply.setCookie(SESSION_COOKIE, token, { ...readable, httpOnly: true })
  reply.setCookie(HINT_COOKIES.email, user.email, readable)
  reply.setCookie(HINT_COOKIES.userId, user.userId, readable)
  if (user.diggerAdmin) {
    reply.setCookie(HINT_COOKIES.diggerAdmin, 'true', readable)
    reply.setCookie(HINT_COOKIES.adminEmail, user.email, readable)
  } else {
    reply.clearCookie(HINT_COOKIES.diggerAdmin, { path: '/' })
    reply.clearCookie(HINT_COOKIES.adminEmail, { path: '/' })
  }
}

export function clearCookies(reply: FastifyReply): void {
  for (const name of [SESSION_COOKIE, ...Object.values(HINT_COOKIES)]) reply.clearCookie(name, { path: '/' })
}
