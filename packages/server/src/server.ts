import { fileURLToPath } from 'node:url'
import { ACCOUNT_LIMITS, isTradingDay, morningLine, type ServerLimits } from '@digger/core'
import type { KisEnv, RateLimits, SocketTimes } from '@digger/kis'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { type Clock, type Database, openDatabase, realClock } from '@digger/database'
import { Connector, Engine, type StopWritten, Timetables, TradingCalendar, SteadyClock } from '@digger/engine'
import { type KeyShares, readMasterKey, Passwords, TokenStore, Vault, writeAuditForAll } from '@digger/identity'
import type { Config } from '@digger/config'
import { allHandlers } from './handlers/all.ts'
import { buildApp } from './http/app.ts'
import { listen } from '@digger/http'
import { type FillRule, Shadows } from '@digger/shadow'
import { type CandlePace, dayCloseOf, keepUp } from './keep-up.ts'
import { type Notifying, notifyingOf, type NotifyingParts, serverKeyOf, type SharedNotifying } from './notifying.ts'
import { type AppParts, createServices, type Services } from './services.ts'

export const WEB_DIR = fileURLToPath(new URL('../../web/dist', import.meta.url))

export interface ServerParts {
  readonly config: Config
  readonly broker: { readonly env: KisEnv; readonly restUrl: string; readonly wsUrl: string }
  readonly hours: 'always' | 'krx'
  readonly log: FastifyBaseLogger
  readonly clock?: Clock
  /** Where time is moved by hand or runs faster than ours: goes before what the environment says. */
  readonly rateLimits?: Partial<RateLimits>
  readonly socketTimes?: Partial<SocketTimes>
  readonly timerMs?: number
  readonly limits?: ServerLimits
  /** When an order that was never sent counts as filled. */
  readonly shadowRule?: FillRule
  /** How much anybody may ask over HTTP. */
  readonly requestLimits?: NonNullable<AppParts['requestLimits']>
  /** What is made from passwords; by default as dear as it is for guessers. */
  readonly passwords?: Passwords | undefined
  /** In the place of the world outside that people are notified by. */
  readonly notifying?: NotifyingParts
  readonly backup?: AppParts['backup']
  /** Candles of the past are read and kept; without it none are. */
  readonly candles?: CandlePace
}

export interface DiggerServer {
  readonly app: FastifyInstance
  readonly engine: Engine
  readonly database: Database
  readonly vault: Vault
  readonly shadows: Shadows
  /** Starts to answer; resolves to the address. */
  listen(): Promise<string>
  /** Stops deciding, lets what is on the wire come back, flushes, closes. */
  close(): Promise<void>
}

function brokerClock(log: FastifyBaseLogger): Clock {
  const clock = new SteadyClock()
  clock.onSet((byMs) => log.warn({ byMs }, 'the clock differed from the broker’s and was set by it: check NTP'))
  return clock
}

const spacingOf = ({ KIS_CALLS_PER_SECOND }: Config): Partial<RateLimits> =>
  KIS_CALLS_PER_SECOND === undefined ? {} : { spacingMs: 1_000 / KIS_CALLS_PER_SECOND }

/** How other processes that trade other accounts hear of what is changed in this one. */
export interface OtherProcesses {
  /** Called when it turns out that another process has an account. */
  readonly fenced?: () => void
  readonly stopWritten?: StopWritten
  readonly calendarChanged?: () => void
  readonly takeoverHoldMs?: number
}

/** What a server has besides that shares the accounts with others. */
interface SeveralProcesses extends OtherProcesses, Pick<AppParts, 'grants' | 'cluster' | 'loadedShards' | 'wall'> {
  /** Keys that go from one to another. */
  readonly keyShares?: KeyShares | null
  readonly notifying?: SharedNotifying
}

interface TradingParts extends OtherProcesses {
  readonly database: Database
  readonly clock: Clock
  readonly tokens: TokenStore
  readonly problem: (userId: string | null, error: unknown) => void
}

/** What trades: the accounts with their brokers, and the exchange's days. */
function tradingOf(
  { broker, hours, rateLimits, socketTimes, timerMs, limits, shadowRule, config, log }: ServerParts,
  { database, clock, tokens, problem, fenced, stopWritten, takeoverHoldMs, calendarChanged: changed }: TradingParts,
) {
  const timetables = new Timetables(hours)
  const connector = new Connector({
    ...broker,
    clock,
    tokens,
    problem,
    isOpenDay: (day) => isTradingDay(day, timetables.current),
    limits: { ...spacingOf(config), ...rateLimits },
    ...(socketTimes === undefined ? {} : { socketTimes }),
  })
  const engine = new Engine({
    tables: database,
    clock,
    env: broker.env,
    limits: limits ?? ACCOUNT_LIMITS[config.KIS_ENV],
    shadow: config.SHADOW === '1',
    timetables,
    connector,
    problem,
    stopWritten,
    takeoverHoldMs,
    ...(timerMs === undefined ? {} : { timerMs }),
    ...(fenced === undefined ? {} : { fenced }),
  })
  engine.observe({
    accountArmed: (userId) => log.info({ userId, morning: morningLine(engine.morning(userId)) }, 'armed'),
  })
  const calendar = new TradingCalendar({ db: database.db, clock, timetables, log: writeAuditForAll, changed })
  const { db, owned } = database
  const shadows = new Shadows({ rehearsing: engine.rehearsing, db, clock, owned, problem, rule: shadowRule })
  engine.rehearsing.begin(shadows)
  return { timetables, connector, engine, calendar, shadows }
}

/** The parts of a server that has accounts, put together. */
export interface Assembled extends Pick<DiggerServer, 'app' | 'engine' | 'database' | 'vault' | 'shadows'> {
  readonly services: Services
  readonly dayClose: ReturnType<typeof dayCloseOf>
  readonly notifying: Notifying
  readonly problem: (userId: string | null, error: unknown) => void
  /** Abandoned before trading ends, for that waits for no candle; null: none are read. */
  readonly candles: ReturnType<typeof keepUp>
}

type Optional = Pick<AppParts, 'requestLimits' | 'backup' | 'grants' | 'cluster' | 'loadedShards'>
const whereGiven = (all: { readonly [K in keyof Optional]: Optional[K] | undefined }): Optional =>
  Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

/** What opens users' keys. */
function keysOf(
  { config: { MASTER_KEY_FILE }, passwords = new Passwords() }: ServerParts,
  { db }: Database,
  { clock, keyShares }: { readonly clock: Clock; readonly keyShares: KeyShares | null },
): Pick<AppParts, 'passwords' | 'vault' | 'tokens'> {
  const vault = new Vault({ db, clock, passwords, master: readMasterKey(MASTER_KEY_FILE), keyShares })
  return { passwords, vault, tokens: new TokenStore(db, vault, clock) }
}

/** Puts database, vault, accounts and HTTP together. Nothing listens and nothing trades yet. */
export async function assemble(
  parts: ServerParts,
  database: Database,
  shared: SeveralProcesses = {},
): Promise<Assembled> {
  const { config, log, clock = brokerClock(log) } = parts
  const { grants, cluster, loadedShards, wall = realClock, keyShares = null, notifying: ofWorkers, ...others } = shared
  const keys = keysOf(parts, database, { clock, keyShares })
  const { vault, tokens } = keys
  const problem = (userId: string | null, error: unknown): void => log.warn({ userId, err: error }, 'account problem')
  const trading = { database, clock, tokens, problem, ...others }
  const { timetables, connector, engine, calendar, shadows } = tradingOf(parts, trading)
  const timetable = () => timetables.current
  const serverKey = serverKeyOf(config, ofWorkers)
  const base = { database, clock, wall, timetable }
  const notified = { ...base, key: serverKey, engine, problem, ofWorkers, loadedShards, services: () => services }
  const notifying = await notifyingOf(parts, notified)
  const services = createServices({
    ...base,
    ...keys,
    config,
    accounts: engine,
    brokerCheck: (credentials) => connector.check(credentials),
    webDir: WEB_DIR,
    probe: () => ({ ...engine.health.vitals(), broker: engine.health.broker }),
    calendar,
    notifications: notifying.setups,
    shadows,
    serverKey,
    port: () => portOf(app) ?? config.PORT,
    logger: log,
    ...whereGiven({ requestLimits: parts.requestLimits, backup: parts.backup, grants, cluster, loadedShards }),
  })
  const app = buildApp(services, allHandlers(services))
  const dayClose = dayCloseOf(services, log)
  await calendar.look()
  await engine.start()
  const reading = parts.candles && { ...parts.candles, timetable, isAlone: cluster === undefined }
  const candles = keepUp(app, services, { calendar, notifying, engine, problem, ...(reading && { candles: reading }) })
  return { app, engine, database, vault, shadows, services, dayClose, notifying, problem, candles }
}

/** Where it listens; undefined before it does. */
const portOf = ({ server }: FastifyInstance): number | undefined => {
  const address = server.address()
  return typeof address === 'object' ? address?.port : undefined
}

/** The one server of a database: all accounts and all screens. */
export async function createServer(parts: ServerParts): Promise<DiggerServer> {
  const { config, log } = parts
  const trades = { shared: false, report: (line: string) => log.warn(line) }
  const opened = await openDatabase({ databaseUrl: config.DATABASE_URL, dataDir: config.DATA_DIR, trades })
  const assembled = await assemble(parts, opened)
  const { app, engine, database, vault, shadows, services, dayClose, notifying, problem, candles } = assembled
  await services.keys.restore(problem)
  services.jobs.start({ pollMs: null })
  return {
    app,
    engine,
    database,
    vault,
    shadows,
    async listen() {
      const address = await listen(app, { host: config.HOST, port: config.PORT })
      dayClose.start()
      notifying.start()
      return address
    },
    async close() {
      dayClose.stop()
      candles?.abandon()
      await app.close()
      await engine.stop()
      await candles?.stop()
      await database.close()
    },
  }
}
