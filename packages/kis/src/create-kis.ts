import type { KisCredentials, KisEnv, KisRest, TimeReceived } from './api.ts'
import type { KisSocket } from './api-socket.ts'
import { isWeekday } from './kst.ts'
import { splitAccount } from './rest/context.ts'
import { Oddities } from './rest/oddities.ts'
import { createRest } from './rest/rest.ts'
import { LiveSocket } from './socket/live-socket.ts'
import { DEFAULT_SOCKET_TIMES, type SocketTimes } from './socket/times.ts'
import { ApprovalKeys, issueToken, keyId } from './transport/auth.ts'
import { Calls, DEFAULT_RETRIES, type Retries } from './transport/calls.ts'
import { RateLimiter, type SpacingClock } from './transport/rate-limiter.ts'
import { DEFAULT_TIMEOUTS, Http, type Timeouts } from './transport/http.ts'
import { DEFAULT_LIMITS, type RateLimits } from './transport/limits.ts'
import { DEFAULT_TOKEN_TIMES, TokenManager, type TokenStore, type TokenTimes } from './transport/token.ts'

export interface KisOptions {
  readonly env: KisEnv
  /** See `KIS_HOSTS`. */
  readonly restUrl: string
  readonly wsUrl: string
  readonly credentials: KisCredentials
  readonly tokens: TokenStore
  /** Epoch ms; decides KST business dates and the age of keys. */
  readonly now?: () => number
  readonly limits?: Partial<RateLimits>
  /** Default: the even time of this process. */
  readonly spacing?: SpacingClock
  /** How long the first call waits at least, ms: after another process that had the key a moment ago. */
  readonly holdMs?: number
  readonly retries?: Partial<Retries>
  readonly timeouts?: Partial<Timeouts>
  readonly tokenTimes?: Partial<TokenTimes>
  readonly socketTimes?: Partial<SocketTimes>
  /** Whether the exchange opens on a KST day, as far as is known. Default: Monday to Friday. */
  readonly isOpenDay?: (day: string) => boolean
  /** Called with the broker's own time, by its replies and on the socket. */
  readonly onTime?: TimeReceived
  /** Called with problems that no call can report: tokens that could not be stored, frames and fields that could not be read. */
  readonly onProblem?: (error: Error) => void
}

/**
 * One client per app key: queue, token and socket belong to the key, and two clients would trip over each other.
 * Close the socket before the rest: its approval keys come through the same connections.
 */
export function createKis(options: KisOptions): { rest: KisRest; socket: KisSocket } {
  const { env, credentials, now = Date.now, onProblem = () => {}, onTime = () => {} } = options
  const limits = { ...DEFAULT_LIMITS[env], ...options.limits }
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const http = new Http(options.restUrl, timeouts, onTime, limits.queryConnections)
  const limiter = new RateLimiter(limits, options.spacing)
  limiter.hold(options.holdMs ?? 0)
  const tokens = new TokenManager({
    id: keyId(options.restUrl, credentials.appKey),
    store: options.tokens,
    issue: () => issueToken(http, credentials, now()),
    now,
    times: { ...DEFAULT_TOKEN_TIMES, ...options.tokenTimes },
    onProblem,
  })
  const retries = { ...DEFAULT_RETRIES, ...options.retries }
  const calls = new Calls({ env, credentials, http, limiter, tokens, retries, now })
  const account = splitAccount(credentials.accountNumber)
  const rest = createRest(
    {
      env,
      calls,
      account,
      now,
      isOpenDay: options.isOpenDay ?? isWeekday,
      oddities: new Oddities(onProblem),
      brokenLists: new Set(),
    },
    {
      queue: () => limiter.figures(),
      close: async () => {
        limiter.close()
        await http.close()
      },
    },
  )
  const socket = new LiveSocket({
    env,
    url: options.wsUrl,
    htsId: credentials.htsId,
    accountNumber: account.CANO + account.ACNT_PRDT_CD,
    approval: new ApprovalKeys(http, credentials, now),
    times: { ...DEFAULT_SOCKET_TIMES, ...options.socketTimes },
  })
  socket.observe({ problemFound: onProblem, timeReceived: (at) => onTime(at, null) })
  return { rest, socket }
}
