import { type CallName, calls, Refused } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '@digger/database'
import { type Session, type Sessions, findUser } from '@digger/identity'
import type { Granted } from '@digger/forward'
import { sessionTokens } from './cookies.ts'

export type { Granted } from '@digger/forward'

export interface AccessDeps {
  readonly db: Db
  readonly sessions: Sessions
  /** Whether a password alone opens nothing but what sets up a second factor, and what stops. */
  readonly factorRequired: boolean
}

/** What a session that showed a password alone may do where more is wanted of everybody. */
const WITHOUT_FACTOR: ReadonlySet<CallName> = new Set([
  'me',
  'factors',
  'proofWays',
  'stepUp',
  'beginPasskey',
  'addPasskey',
  'beginTotp',
  'confirmTotp',
  'changePassword',
  'sessions',
  'endSession',
  'endOtherSessions',
  'stop',
  'liveOrders',
  'stopAll',
  'cancelOrders',
  'adminLogout',
])

/**
 * Settles who asks, whose account it is about, and whether that is allowed. Throws Refused. A change by another process is
 * seen after `oldestMs`; without one, when the session cache reads again.
 */
export async function checkAccess(
  deps: AccessDeps,
  name: CallName,
  request: FastifyRequest,
  oldestMs?: number,
): Promise<Granted> {
  const call = calls[name]
  const caller = await callerOf(deps.sessions, request, oldestMs)
  if (call.access === 'anyone') return { caller, userId: '' }
  if (!caller) throw new Refused('LOGIN_REQUIRED', '로그인해 주세요.')
  if (call.access === 'admin' && !caller.diggerAdmin) throw forbidden()
  if (deps.factorRequired && !WITHOUT_FACTOR.has(name)) await needFactor(deps.sessions, caller, request)
  return { caller, userId: await target(deps.db, caller, request) }
}

/** What memory knows may be from before a factor was shown in this session. */
async function needFactor(sessions: Sessions, { factor }: Session, request: FastifyRequest): Promise<void> {
  const now = factor ?? (await callerOf(sessions, request, 0))?.factor ?? null
  if (now === null) throw new Refused('NO_SECOND_FACTOR', NO_FACTOR)
}

const NO_FACTOR =
  '이 서버는 두 번째 인증을 해야 쓸 수 있습니다. 보안 화면에서 패스키나 인증 앱을 더해 주세요. 멈춤은 지금도 됩니다.'

/**
 * The session of the request, whichever of several cookies holds it. Living sessions of different people: one of them was
 * planted, and nobody knows which, so all end.
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
  // It is the same answer whether or not that user exists: ids cannot be tried out.
  if (!caller.diggerAdmin) throw forbidden()
  if (!(await findUser(db, asked)))
    throw new Refused('NOT_FOUND', '그런 사용자가 없습니다. 사용자 목록에서 다시 골라 주세요.')
  return asked
}

export const forbidden = (): Refused =>
  new Refused('FORBIDDEN', '권한이 없습니다. 다른 사람의 계좌와 관리 기능은 관리자만 쓸 수 있습니다.')

const pathUser = (params: unknown): string | null =>
  typeof params === 'object' && params !== null && 'userId' in params ? String(params.userId) : null
