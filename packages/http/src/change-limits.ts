import { type CallName, calls, Refused } from '@digger/contract'
import { effectiveStop, type Stop } from '@digger/core'
import type { Clock } from '@digger/database'
import type { Accounts } from '@digger/engine'
import type { Granted } from '@digger/forward'
import type { Rate } from './request-limits.ts'
import { RateLimiter } from './rate-limiter.ts'

/**
 * Calls that only take risk away. They have a budget of their own (a script gone wild must not use up the stop) and wait
 * for no row in the audit.
 */
const SAFEGUARDS: ReadonlySet<CallName> = new Set([
  'cancelOrders',
  'cancelOrder',
  'stopAll',
  'pressStopLink',
  'bulkCancel',
  'disconnectSocket',
  'adminDisconnectSocket',
  'deleteUserKey',
  'logout',
  'adminLogout',
])

/** Calls of which only the body says whether they take risk away. */
export const DECIDED_BY_BODY: ReadonlySet<CallName> = new Set(['setStop'])

export interface AskedChange {
  readonly name: CallName
  /** Whose account; empty where the call names none. */
  readonly userId: string
  readonly body: unknown
}

type Stops = Pick<Accounts, 'has' | 'book' | 'serverStop'>

export const isSafeguard = (accounts: Stops, { name, userId, body }: AskedChange): boolean =>
  SAFEGUARDS.has(name) || (name === 'setStop' && isStricter(accounts, userId, body))

/** A stop takes risk away; letting go of it does not, not even by half: `reduce` in place of `halt` lets sells leave. */
function isStricter(accounts: Stops, userId: string, body: unknown): boolean {
  const { data } = calls.setStop.body.safeParse(body)
  if (data === undefined || data.stop === 'active') return false
  return effectiveStop('active', inForce(accounts, userId, data), data.stop) === data.stop
}

/** The stop that the new one takes the place of. */
function inForce(
  accounts: Stops,
  userId: string,
  { level, code = '' }: { level: string; code?: string | undefined },
): Stop {
  if (level === 'server') return accounts.serverStop()
  if (!accounts.has(userId)) return 'active'
  const { stop, stocks } = accounts.book(userId)
  return level === 'user' ? stop : (stocks.get(code)?.stop ?? 'active')
}

const TOO_FAST =
  '너무 빠르게 이어서 바꾸고 있어 받지 않았습니다. 몇 초 뒤에 다시 해 주세요. 멈춤과 취소는 따로 세므로 지금도 됩니다.'
const TOO_FAST_EVEN_SO = '멈춤과 취소가 너무 빠르게 이어져 받지 않았습니다. 몇 초 뒤에 다시 해 주세요.'

/** Limits how fast one user changes things, whoever's account it is: each change is rows in journal and log. */
export class ChangeLimits {
  readonly #safeguards: RateLimiter
  readonly #others: RateLimiter

  constructor(rate: Rate, clock: Clock) {
    this.#safeguards = new RateLimiter(rate, clock)
    this.#others = new RateLimiter(rate, clock)
  }

  /** Counts a change. Throws Refused BUSY. */
  count({ caller }: Granted, safeguard: boolean): void {
    const [limiter, message] = safeguard ? [this.#safeguards, TOO_FAST_EVEN_SO] : [this.#others, TOO_FAST]
    if (caller !== null && !limiter.take(caller.userId)) throw new Refused('BUSY', message)
  }
}
