import { type Call, type CallName, calls, Refused } from '@digger/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '@digger/database'
import { type ApiTokens, type Session, type Sessions, findUser } from '@digger/identity'
import type { Granted } from '@digger/forward'
import { bearerOf } from './bearer.ts'
import { sessionTokens } from './cookies.ts'

export type { Granted } from '@digger/forward'

export interface AccessDeps {
  readonly db: Db
  readonly sessions: Sessions
  /** Whether a password alone opens nothing but what sets up a second factor, and what stops. */
  readonly factorRequired: boolean
  readonly apiTokens: ApiTokens
}

/** What a session that showed a password alone may do, with its own account, where more is wanted of everybody. */
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
  const bearer = bearerOf(request)
  if (bearer !== null) return tokenAccess(deps, name, request, { bearer, oldestMs })
  const call = calls[name]
  const caller = await callerOf(deps.sessions, request, oldestMs)
  if (call.access === 'anyone') return { caller, userId: '' }
  if (!caller) throw new Refused('LOGIN_REQUIRED', '로그인해 주세요.')
  if (call.access === 'admin' && !caller.diggerAdmin) throw forbidden()
  const asked = pathUser(request.params)
  const enough = WITHOUT_FACTOR.has(name) && (asked === null || isCaller(asked, caller))
  if (deps.factorRequired && !enough) await needFactor(deps.sessions, caller, request)
  return { caller, userId: await target(deps.db, caller, asked) }
}

/** Whether the user of a path is the caller. */
const isCaller = (asked: string | null, { userId }: Session): boolean => asked === 'user' || asked === userId

/** What memory knows may be from before a factor was shown in this session. */
async function needFactor(sessions: Sessions, { factor }: Session, request: FastifyRequest): Promise<void> {
  const now = factor ?? (await callerOf(sessions, request, 0))?.factor ?? null
  if (now === null) throw new Refused('NO_SECOND_FACTOR', NO_FACTOR)
}

const NO_FACTOR =
  '이 서버는 두 번째 인증을 해야 쓸 수 있습니다. 보안 화면에서 패스키나 인증 앱을 더해 주세요. 멈춤은 지금도 됩니다.'
interface Shown {
  readonly bearer: string
  readonly oldestMs: number | undefined
}

/** A program is let in to what the contract says of tokens, and to its own person's account, whoever that is. */
async function tokenAccess(
  { apiTokens }: AccessDeps,
  name: CallName,
  request: FastifyRequest,
  { bearer, oldestMs }: Shown,
): Promise<Granted> {
  const caller = await apiTokens.find(bearer, { oldestMs, address: request.ip })
  if (!caller) throw new Refused('LOGIN_REQUIRED', NO_TOKEN)
  const call: Call = calls[name]
  if (call.tokens === undefined || (call.tokens === 'stop' && caller.token.scope !== 'stop')) throw notByToken()
  const asked = pathUser(request.params)
  if (!isCaller(asked, caller)) throw forbidden()
  return { caller, userId: caller.userId }
}

export const notByToken = (): Refused =>
  new Refused(
    'FORBIDDEN',
    '이 API 토큰으로는 할 수 없는 요청입니다. 토큰의 범위를 확인하거나 Digger 화면에서 해 주세요.',
  )

const NO_TOKEN = '쓸 수 없는 API 토큰입니다. 없앴거나 기한이 지났거나 잘못 옮긴 것입니다. 새로 만들어 주세요.'

/**
 * The session of the request, whichever of several cookies holds it. Living sessions of different people: one of them was
 * planted, and nobody knows which, so all end. None where the request shows a token instead.
 */
export async function callerOf(
  sessions: Sessions,
  request: FastifyRequest,
  oldestMs?: number,
): Promise<Session | null> {
  if (bearerOf(request) !== null) return null
  const tokens = sessionTokens(request)
  const found = await Promise.all(tokens.map((token) => sessions.find(token, oldestMs)))
  const [first = null, ...others] = found.filter((session) => session !== null)
  if (others.every(({ userId }) => userId === first?.userId)) return first
  await Promise.all(tokens.map((token) => sessions.end(token)))
  return null
}

async function target(db: Db, caller: Session, asked: string | null): Promise<string> {
  if (asked === null) return ''
  if (isCaller(asked, caller)) return caller.userId
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
