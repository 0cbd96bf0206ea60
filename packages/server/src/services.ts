import type { FastifyBaseLogger } from 'fastify'
import type { Timetable } from '@digger/core'
import type { KisCredentials } from '@digger/kis'
import { type Clock, type Database, realClock } from '@digger/database'
import type { Accounts, TradingCalendar, Vitals } from '@digger/engine'
import {
  ApiTokens,
  KnownDevices,
  LoginThrottle,
  type Passwords,
  SecondFactors,
  Sessions,
  type TokenStore,
  type Vault,
} from '@digger/identity'
import { type Config, relyingPartyOf } from '@digger/config'
import type { ClusterProbe } from '@digger/cluster'
import type { NotificationSetups } from '@digger/notifications'
import type { Elsewhere, ForwardedGrants } from '@digger/forward'
import { BrokerBalances, Imports, Live, type LiveSource } from '@digger/screens'
import type { Shadows } from '@digger/shadow'
import { Jobs } from './jobs/jobs.ts'
import { RateLimiter, REQUEST_LIMITS, type RequestLimits } from '@digger/http'
import { KeyRing } from '@digger/key-ring'

/** How the parts behind the accounts are doing, for /health and /metrics. */
export interface Probe extends Vitals {
  readonly broker: 'ok' | 'down' | 'unused'
}

/** How the backups that this process takes by itself are doing. */
export interface BackupState {
  /** Why the last one failed, one line; null: it did not. */
  readonly failure: string | null
  /** Epoch ms; null: there is none. */
  readonly newestAt: number | null
}

/** Everything the HTTP side is made of; the start-up file and the tests give it. */
export interface AppParts {
  readonly config: Pick<Config, 'KIS_ENV' | 'ALLOWED_ORIGINS' | 'TRUST_PROXY'> &
    Partial<Pick<Config, 'HOST' | 'PUBLIC_URL' | 'SHADOW' | 'RP_ID' | 'SECOND_FACTOR'>>
  readonly database: Database
  /** The market's time; in a simulation it may run faster or be moved. */
  readonly clock: Clock
  /** The time of people and browsers: sessions, log-ins, streams. */
  readonly wall?: Clock
  readonly accounts: Accounts
  readonly passwords: Passwords
  readonly vault: Vault
  readonly tokens: TokenStore
  /** Tries credentials on the broker: token, balance, notices. Throws the reason. False: it did not say whether the HTS ID is right. */
  readonly brokerCheck: (credentials: KisCredentials) => Promise<boolean>
  /** Built web client; without it only the API is served. */
  readonly webDir?: string
  readonly probe?: () => Probe
  /** Null where it takes none. */
  readonly backup?: () => BackupState | null
  /** When the exchange is open; without it, always. */
  readonly timetable?: () => Timetable
  /** Its days, as operators correct them. */
  readonly calendar: TradingCalendar
  readonly logger?: FastifyBaseLogger
  /** How much anybody may ask; without it, as in production. */
  readonly requestLimits?: RequestLimits
  /** How people set up what they are told; at a gateway there is none. */
  readonly notifications?: NotificationSetups
  /** What is only rehearsed; at a gateway there is none. */
  readonly shadows?: Shadows
  /** At a gateway. */
  readonly elsewhere?: Elsewhere
  /** At a worker: what gateways have granted. */
  readonly grants?: ForwardedGrants
  /** Not in the database, 32 bytes: seals what proves who somebody is. A gateway has none, and checks no second factor. */
  readonly serverKey?: Buffer
  /** On which pages come by when there is no public address. */
  readonly port?: () => number
  /** Of one process of several: how it and the others are. */
  readonly cluster?: ClusterProbe
  /** At a worker: the shards whose accounts are loaded, with their keys. */
  readonly loadedShards?: () => readonly number[]
}

/** What the handlers share. */
export interface Services extends AppParts {
  readonly requestLimits: RequestLimits
  readonly wall: Clock
  readonly sessions: Sessions
  readonly apiTokens: ApiTokens
  readonly tokenRates: RateLimiter
  readonly throttle: LoginThrottle
  readonly devices: KnownDevices
  readonly keys: KeyRing
  /** Null at a gateway. */
  readonly secondFactors: SecondFactors | null
  readonly balances: BrokerBalances
  readonly imports: Imports
  readonly live: LiveSource
  readonly jobs: Jobs
}

export function createServices(parts: AppParts): Services {
  const { database, clock, wall = realClock, accounts, vault, tokens, requestLimits = REQUEST_LIMITS } = parts
  const { db } = database
  const live = parts.elsewhere?.live ?? new Live(accounts, wall)
  const throttle = new LoginThrottle(db, wall)
  const keys = new KeyRing(vault, tokens, accounts)
  const shared = {
    ...parts,
    ...(parts.probe ? { probe: withKeys(parts.probe, keys) } : {}),
    requestLimits,
    wall,
    sessions: new Sessions(database, wall),
    apiTokens: new ApiTokens(db, wall),
    tokenRates: new RateLimiter(requestLimits.token, wall),
    throttle,
    secondFactors: secondFactorsOf(parts, { wall, throttle }),
    devices: new KnownDevices(db, wall),
    keys,
    balances: new BrokerBalances({
      db,
      clock,
      wall,
      accounts,
      live,
      failed: (userId, error) => parts.logger?.warn({ userId, err: error }, 'the money entry was not written'),
    }),
    imports: new Imports(db),
    live,
  }
  const { logger: log = SILENT, elsewhere } = parts
  return { ...shared, jobs: new Jobs({ ...shared, log, isElsewhere: elsewhere !== undefined }) }
}

function secondFactorsOf(
  { config, database: { db }, passwords, vault, serverKey, port = () => 0 }: AppParts,
  { wall: clock, throttle }: Pick<Services, 'wall' | 'throttle'>,
): SecondFactors | null {
  if (serverKey === undefined) return null
  const party = () => relyingPartyOf(config.RP_ID, config.PUBLIC_URL ?? [], port())
  return new SecondFactors({ db, clock, passwords, throttle, vault, key: serverKey, party })
}

const SILENT: Pick<FastifyBaseLogger, 'error'> = { error: () => undefined }

/** Accounts whose keys did not open are no trouble that the engine could know of. */
const withKeys =
  (probe: () => Probe, keys: KeyRing): (() => Probe) =>
  () => {
    const vitals = probe()
    return { ...vitals, troubles: [...vitals.troubles, ...keys.troubles] }
  }
