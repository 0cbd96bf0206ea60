import type { Clock, Db } from '@digger/database'
import { Budgets, type Limit, subjectOf } from './budget.ts'
import { networkOf, siteOf } from './network.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS

/** How many wrong passwords each may try. The reasons are in docs/decisions/014-log-in-door.md. */
const LIMITS = {
  /** All strangers to an e-mail together. With the newcomers' one it makes five at once. */
  email: { burst: 4, intervalMs: 15 * MINUTE_MS },
  /** Reserved for whoever has not been wrong about this e-mail within a day: strangers cannot use it up twice. */
  newcomer: { burst: 1, intervalMs: 10 * MINUTE_MS },
  /** One site is a newcomer to an e-mail once a day. */
  pair: { burst: 1, intervalMs: 1_440 * MINUTE_MS },
  /** An address may be a whole office. */
  address: { burst: 20, intervalMs: 20 * SECOND_MS },
  /** A device its owner logged in from before. */
  device: { burst: 5, intervalMs: 5 * MINUTE_MS },
  /** Somebody logged in who types a password again: strangers have no part in it. */
  session: { burst: 5, intervalMs: 5 * MINUTE_MS },
  /** Codes after a right password: five at once, 96 a day, of a million of which three are right. */
  factor: { burst: 5, intervalMs: 15 * MINUTE_MS },
  /** The same of a device or session of theirs, which who has the password alone cannot use up. */
  ownFactor: { burst: 5, intervalMs: 5 * MINUTE_MS },
  signUp: { burst: 10, intervalMs: 5 * MINUTE_MS },
} as const satisfies Record<string, Limit>

type Kind = keyof typeof LIMITS

interface Claim {
  readonly subject: string
  readonly limit: Limit
}

/** `waitMs` 0: a try is reserved, and durable. Who was right gives it back. */
export interface Reserved {
  readonly waitMs: number
  readonly giveBack: () => Promise<void>
}

const claim = (kind: Kind, ...of: readonly string[]): Claim => ({
  subject: subjectOf(kind, ...of),
  limit: LIMITS[kind],
})

/** Bounds guessing. A try is counted before the password is looked at, so guesses sent at once are not more than one by one. */
export class LoginThrottle {
  readonly #budgets: Budgets

  constructor(db: Db, clock: Clock) {
    this.#budgets = new Budgets(db, clock, 'pair')
  }

  /** How long a try is known to be of no use, ms, as far as memory knows. */
  waitOfStranger(email: string, address: string): number {
    const known = (one: Claim): number => this.#budgets.waitKnown(one.subject)
    const { everybody, newcomer, pair, host } = claimsOf(email, address)
    return Math.max(known(host), Math.min(known(everybody), Math.max(known(newcomer), known(pair))))
  }

  /** Reserves a log-in from a device that is not known to be this person's. */
  async asStranger(email: string, address: string): Promise<Reserved> {
    const { everybody, newcomer, pair, host } = claimsOf(email, address)
    const isNew = (await this.#reserve([pair])).waitMs === 0
    const first = isNew ? await this.#reserve([host, newcomer]) : null
    const taken = first?.waitMs === 0 ? first : await this.#reserve([host, everybody])
    if (!isNew) return this.#withRealWait(taken, email, address)
    const giveBack = async (): Promise<void> => {
      await taken.giveBack()
      await this.#budgets.giveBack(pair.subject, pair.limit)
    }
    if (taken.waitMs === 0) return { waitMs: 0, giveBack }
    await giveBack()
    return this.#withRealWait(taken, email, address)
  }

  /** What is to be had first may be another budget than the one asked last. */
  #withRealWait(taken: Reserved, email: string, address: string): Reserved {
    return taken.waitMs === 0 ? taken : { ...taken, waitMs: this.waitOfStranger(email, address) || taken.waitMs }
  }

  asDevice(deviceId: string, userId: string): Promise<Reserved> {
    return this.#reserve([claim('device', deviceId, userId)])
  }

  waitOfDevice(deviceId: string, userId: string): number {
    return this.#budgets.waitKnown(claim('device', deviceId, userId).subject)
  }

  /** Somebody logged in, about their own password or (administrators) another's. */
  asSession(callerId: string, userId: string): Promise<Reserved> {
    return this.#reserve([claim('session', callerId, userId)])
  }

  /** A code beside a password that was right. `from`: a known device or a session; null: a stranger's. */
  asFactor(from: string | null, userId: string): Promise<Reserved> {
    return this.#reserve([from === null ? claim('factor', userId) : claim('ownFactor', from, userId)])
  }

  signUp(address: string): Promise<Reserved> {
    return this.#reserve([claim('signUp', networkOf(address))])
  }

  /** All of them or none. */
  async #reserve(claims: readonly Claim[]): Promise<Reserved> {
    const taken: Claim[] = []
    const giveBack = async (): Promise<void> => {
      for (const { subject, limit } of taken) await this.#budgets.giveBack(subject, limit)
    }
    for (const one of claims) {
      const waitMs = await this.#budgets.take(one.subject, one.limit)
      if (waitMs > 0) {
        await giveBack()
        return { waitMs, giveBack: async () => undefined }
      }
      taken.push(one)
    }
    return { waitMs: 0, giveBack }
  }
}

const claimsOf = (email: string, address: string) => ({
  everybody: claim('email', email),
  newcomer: claim('newcomer', email),
  pair: claim('pair', email, siteOf(address)),
  host: claim('address', networkOf(address)),
})
