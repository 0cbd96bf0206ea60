import {
  createKis,
  type KisCredentials,
  type KisEnv,
  type KisOptions,
  type KisRest,
  type KisSocket,
  type RateLimits,
  type SocketTimes,
  type StoredToken,
  takesHtsId,
} from '@digger/kis'
import type { MarketClock } from './steady-clock.ts'

/** The broker of one account: REST calls and the one socket of its key. */
export interface Broker {
  readonly rest: KisRest
  readonly socket: KisSocket
}

/** Where a user's access tokens outlive a restart, per host (`env`). */
export interface BrokerTokens {
  load(userId: string, env: string): Promise<StoredToken | null>
  save(userId: string, env: string, token: StoredToken): Promise<void>
}

export interface BrokerPlace {
  readonly env: KisEnv
  readonly restUrl: string
  readonly wsUrl: string
  readonly clock: MarketClock
  readonly tokens: BrokerTokens
  /** Whether the exchange opens on a KST day, as far as is known. Default: Monday to Friday. */
  readonly isOpenDay?: (day: string) => boolean
  /** What differs from the client's own limits: where time is moved by hand, or the operator says how often to call. */
  readonly limits?: Partial<RateLimits>
  readonly socketTimes?: Partial<SocketTimes>
  /** The time that calls are spaced by. */
  readonly spacing?: KisOptions['spacing']
  readonly problem: (userId: string | null, error: unknown) => void
}

/** How long a person waits for the answer about an HTS ID. */
const HTS_ID_CHECK_MS = 8_000

/** Makes brokers, and tries out credentials before there is a user. */
export class Connector {
  readonly #place: BrokerPlace
  /** Tokens of credentials just tried: the broker issues one a minute, so the account that follows must get this one. */
  readonly #tried = new Map<string, StoredToken>()

  constructor(place: BrokerPlace) {
    this.#place = place
  }

  /** `holdMs`: another process had the key a moment ago, and no call starts for so long. */
  connect(userId: string, credentials: KisCredentials, holdMs = 0): Broker {
    const { env, tokens } = this.#place
    const stored: KisOptions['tokens'] = {
      load: async (id) => (await tokens.load(userId, env)) ?? this.#handOver(userId, id),
      save: (_id, token) => tokens.save(userId, env, token),
    }
    return this.#create(userId, credentials, stored, holdMs)
  }

  /** The token of credentials just tried becomes the user's: without it a restart would ask for another. */
  async #handOver(userId: string, id: string): Promise<StoredToken | null> {
    const { env, tokens, problem } = this.#place
    const token = this.#tried.get(id)
    if (token === undefined) return null
    // Once: after a forced log-in it would come back in place of a new one.
    this.#tried.delete(id)
    await tokens.save(userId, env, token).catch((error: unknown) => problem(userId, error))
    return token
  }

  /** Throws what the broker says when key, secret, account or HTS ID are wrong. False: nobody knows of the HTS ID. */
  async check(credentials: KisCredentials): Promise<boolean> {
    const broker = this.#create(null, credentials, {
      load: async (id) => this.#tried.get(id) ?? null,
      save: async (id, token) => void this.#tried.set(id, token),
    })
    try {
      await broker.rest.balance()
      return await takesHtsId(broker.socket, HTS_ID_CHECK_MS)
    } finally {
      await broker.socket.close()
      await broker.rest.close()
    }
  }

  #create(userId: string | null, credentials: KisCredentials, tokens: KisOptions['tokens'], holdMs = 0): Broker {
    const { env, restUrl, wsUrl, clock, limits = {}, socketTimes = {}, spacing, isOpenDay, problem } = this.#place
    return createKis({
      env,
      restUrl,
      wsUrl,
      credentials,
      tokens,
      limits,
      holdMs,
      socketTimes,
      ...(spacing === undefined ? {} : { spacing }),
      ...(isOpenDay === undefined ? {} : { isOpenDay }),
      now: () => clock.now(),
      onTime: (at, ageMs) => clock.adjust?.(at, ageMs),
      onProblem: (error) => problem(userId, error),
    })
  }
}

/** Gives a user's account its broker. */
export interface BrokerSource {
  connect(userId: string, credentials: KisCredentials, holdMs: number): Broker
}
