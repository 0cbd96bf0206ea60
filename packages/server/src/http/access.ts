import { type Call, Refused } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '@digger/database'
import { type Session, type Sessions, findUser } from '@digger/identity'
import { sessionTokens } from './cookies.ts'

export interface Granted {
  readonly caller: Session | null
  readonly userId: string
}

export interface Gatekeeper {
  readonly db: Db
  readonly sessions: Sessions
}

/** The same where memory alone can tell: a known session that asks about itself. Null: ask `grant`. */
export function grantAtOnce(keeper: Gatekeeper, call: Call, request: FastifyRequest): Granted | null {
  const [token, other] = sessionTokens(request)
  const caller = token === undefined || other !== undefined ? null : keeper.sessions.peek(token)
  if (!caller || call.access === 'anyone' || (call.access === 'admin' && !caller.diggerAdmin)) return null
  const asked = pathUser(request.params)
  if (asked === null) return { caller, userId: '' }
  return asked === 'user' || asked === caller.userId ? { caller, userId: caller.userId } : null
}

/**
 * Who asks, whose account it is about, and whether that is allowed; settled before a body is even read. What another
 * process changed meanwhile is seen after `oldestMs`, without one when the sessions themselves forget.
 */
export async function grant(
  keeper: Gatekeeper,
  call: Call,
  request: FastifyRequest,
  oldestMs?: number,
): Promise<Granted> {
  const caller = await callerOf(keeper.sessions, request, oldestMs)
  if (call.access === 'anyone') return { caller, userId: '' }
  if (!caller) throw new Refused('LOGIN_REQUIRED', '로그인해 주세요.')
  if (call.access === 'admin' && !caller.diggerAdmin) throw forbidden()
  return { caller, userId: await target(keeper.db, caller, request) }
}

/**
 * Of several cookies the one that is a living session. Living ones of different people: one of them was planted, and nobody
 * can tell which, so all end.
 */
export async function callerOf(
  sessions: Sessions,
  request: FastifyRequest,
  oldestMs?: number,
): Promise<Session | null> {
  const tokens = sessionTokens(request)
  const found = await Promise.all(tokens.map((token) => sessions.find(token, oldestMs)))
  const [first = null, ...others] = found.filter((session) => session !== null)
  if (others.every(({ userId }) => userId === first?.userId)) return first
  await Promise.all(tokens.map((token) => sessions.end(token)))
  return null
}

async function target(db: Db, caller: Session, request: FastifyRequest): Promise<string> {
  const asked = pathUser(request.params)
  if (asked === null) return ''
  if (asked === 'user' || asked === caller.userId) return caller.userId
  // The same answer whether or not that user exists: ids cannot be tried out.
  if (!caller.diggerAdmin) throw forbidden()
  if (!(await findUser(db, asked)))
    throw new Refused('NOT_FOUND', '그런 사용자가 없습니다. 사용자 목록에서 다시 골라 주세요.')
  return asked
}

const forbidden = (): Refused =>
  new Refused('FORBIDDEN', '권한이 없습니다. 다른 사람의 계좌와 관리 기능은 관리자만 쓸 수 있습니다.')

const pathUser = (params: unknown): string | null =>
  typeof params === 'object' && params !== null && 'userId' in params ? String(params.userId) : null
