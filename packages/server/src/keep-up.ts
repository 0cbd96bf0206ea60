import { CandleKeeper, type KeeperParts } from '@digger/candles'
import { knownTimetable } from '@digger/core'
import { every } from '@digger/database'
import type { Engine, TradingCalendar } from '@digger/engine'
import { DayClose } from '@digger/screens'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { MorningLog } from './morning-log.ts'
import type { Notifying } from './notifying.ts'
import type { Services } from './services.ts'

/** Between two tries to open what did not open at the start. */
const KEY_RETRY_MS = 60_000
/** How soon the days of an operator's command hold here, ms. */
const CALENDAR_LOOK_MS = 30_000

/** `wall`: by whose time it is looked again. */
export type CandlePace = Pick<KeeperParts, 'callsPerMinute'> & Partial<Pick<KeeperParts, 'wall'>>

interface KeptUp {
  readonly calendar: TradingCalendar
  readonly notifying: Notifying
  readonly engine: Pick<Engine, 'health'>
  readonly problem: (userId: string | null, error: unknown) => void
  readonly candles?: CandlePace & Pick<KeeperParts, 'timetable' | 'isAlone'>
}

/** What goes on by itself until the server closes; of these, who reads candles is ended by whoever closes. */
export function keepUp(
  app: FastifyInstance,
  services: Services,
  { calendar, notifying, engine, problem, candles }: KeptUp,
): CandleKeeper | null {
  const { clock, accounts, logger, timetable = () => knownTimetable('always') } = services
  const users = () => engine.health.users()
  const ends = [
    ...(logger ? [new MorningLog({ clock, accounts, timetable, users, problem, log: logger }).start()] : []),
    every(services.wall, KEY_RETRY_MS, () => void services.keys.tryAgain(problem)),
    // A database that is away shows elsewhere.
    every(services.wall, CALENDAR_LOOK_MS, () => void calendar.look().catch(() => undefined)),
  ]
  app.addHook('onClose', async () => ends.forEach((end) => end()))
  // Who waits for a job is answered before connections are closed.
  app.addHook('preClose', () => services.jobs.stop())
  app.addHook('preClose', () => notifying.stop())
  return candles === undefined ? null : keepCandles(services, candles)
}

/** Reads candles of the past until it is stopped. */
function keepCandles(
  { database: { db }, accounts, clock, wall, logger }: Services,
  more: CandlePace & Pick<KeeperParts, 'timetable' | 'isAlone'>,
): CandleKeeper {
  const problem = (error: unknown): void => logger?.warn({ err: error }, 'candles were not read')
  const keeper = new CandleKeeper({ db, accounts, clock, wall, problem, ...more })
  keeper.start()
  return keeper
}

/** The end of each day, closed as a job. */
export function dayCloseOf({ clock, jobs }: Services, log: FastifyBaseLogger): DayClose {
  const failed = (error: unknown): void => log.error({ err: error }, 'day close failed')
  return new DayClose({ clock, begin: (day) => jobs.closeDay(day), failed })
}
