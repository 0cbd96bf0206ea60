import { type CallName, Refused } from '@digger/contract'
import type { Clock } from '@digger/database'
import type { Granted } from './access.ts'
import type { Rate } from '../request-limits.ts'
import { RateLimiter } from './rate-limiter.ts'

/**
 * Calls that only take risk away. They have a budget of their own (a script gone wild must not use up the stop) and wait
 * for no row in the audit.
 */
const SAFEGUARDS: ReadonlySet<CallName> = new Set([
  'cancelOrders',
  'cancelOrder',
  'bulkCancel',
  'disconnectSocket',
  'adminDisconnectSocket',
  'deleteUserKey',
  'logout',
  'adminLogout',
])

/** Calls of which only the body says whether they take risk away. */
export const DECIDED_BY_BODY: ReadonlySet<CallName> = new Set(['setStop'])

/** A stop takes risk away; letting go of it does not. */
export const isSafeguard = (name: CallName, body: unknown): boolean =>
  SAFEGUARDS.has(name) || (name === 'setStop' && isStop(body))

const isStop = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'stop' in body && body.stop !== 'active'

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
