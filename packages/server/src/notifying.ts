import { join } from 'node:path'
import type { Config } from '@digger/config'
import type { Clock, Database } from '@digger/database'
import type { Engine, Trouble } from '@digger/engine'
import type { Timetable } from '@digger/core'
import {
  addressKeyIn,
  botNameOf,
  Heartbeat,
  NotificationSetups,
  Notifications,
  ONE_SERVER,
  Senders,
  type SenderSettings,
  TelegramBot,
  vapidKeysOf,
} from '@digger/notifications'
import { backupTroubles } from './backup-trouble.ts'
import { stopFromOutside } from './handlers/stop-all.ts'
import type { Services } from './services.ts'

/** What tests put in the place of the world outside. */
export interface NotifyingParts {
  readonly senders?: Partial<SenderSettings>
  /** Instead of the time of people: by it they are spared too many messages. */
  readonly wall?: Clock
}

/** Of one process among several. */
export interface SharedNotifying {
  readonly addressKey: Buffer
  readonly process: () => string
}

interface Parts {
  readonly database: Database
  readonly clock: Clock
  readonly wall: Clock
  readonly engine: Engine
  readonly timetable: () => Timetable
  readonly ofWorkers?: SharedNotifying | undefined
  /** By which addresses are sealed. */
  readonly key: Buffer
  readonly loadedShards?: (() => readonly number[]) | undefined
  /** Put together later. */
  readonly services: () => Services
  readonly problem: (userId: string | null, error: unknown) => void
}

/** What tells people, put together. */
export interface Notifying {
  readonly setups: NotificationSetups
  start(): void
  /** Resolves when what is on its way has come to an end. */
  stop(): Promise<void>
}

export async function notifyingOf(
  { config, notifying: given = {} }: { readonly config: Config; readonly notifying?: NotifyingParts },
  real: Parts,
): Promise<Notifying> {
  const parts = { ...real, ...given }
  const { database, clock, wall, engine, timetable, key, ofWorkers, loadedShards, services, problem } = parts
  const { db } = database
  const settings: SenderSettings = { ...settingsOf(config), ...given.senders }
  const senders = new Senders(settings, await vapidKeysOf(db, key), wall)
  const [publicUrl = ''] = config.PUBLIC_URL
  const troubles = (): readonly Trouble[] => [...engine.health.troubles(), ...services().keys.troubles]
  const run = new Notifications({
    database,
    clock,
    wall,
    timetable,
    troubles: () => [...troubles(), ...backupTroubles(services())],
    key,
    senders,
    problem,
    accounts: engine,
    attention: () => engine.health.attention(),
    broker: () => engine.health.broker,
    process: ofWorkers?.process ?? (() => ONE_SERVER),
    bot: botOf(settings, senders, parts),
    pageOf: (userId) => `${publicUrl}/${userId}/notification`,
    ...(loadedShards === undefined ? {} : { shards: loadedShards }),
  })
  const heartbeat = heartbeatOf(config, { ...parts, troubles })
  const botName = botNameOf(settings.telegram, wall)
  return {
    setups: new NotificationSetups({ db, wall, key, senders, botName, wake: () => run.wake() }),
    start() {
      run.start()
      heartbeat?.start()
    },
    async stop() {
      await Promise.all([run.stop(), heartbeat?.stop()])
    },
  }
}

const KEY_FILE = 'notification.key'

/** The server's own key, which the database has not: of this process' file, or what workers share. */
export const serverKeyOf = (
  { NOTIFICATION_KEY_FILE, DATA_DIR }: Pick<Config, 'NOTIFICATION_KEY_FILE' | 'DATA_DIR'>,
  ofWorkers: SharedNotifying | undefined,
): Buffer => ofWorkers?.addressKey ?? addressKeyIn(NOTIFICATION_KEY_FILE ?? join(DATA_DIR, KEY_FILE))

function botOf(
  { telegram: settings }: SenderSettings,
  { telegram: channel }: Senders,
  { database, wall, key, services, problem }: Parts,
): TelegramBot | undefined {
  if (settings === undefined || channel === null) return undefined
  const { db, owned } = database
  const isMine = (): boolean => owned.has(0)
  const stopAll = (userId: string): Promise<string> => stopFromOutside(services(), userId, '텔레그램')
  return new TelegramBot({ db, wall, key, problem, stopAll, settings, channel, isMine })
}

function heartbeatOf(
  { HEARTBEAT_URL: url }: Config,
  { clock, wall, timetable, troubles, problem }: Parts & { readonly troubles: () => readonly Trouble[] },
): Heartbeat | null {
  if (url === undefined) return null
  const isWell = (): boolean => troubles().length === 0
  return new Heartbeat({ url, clock, wall, timetable, isWell, problem: (error) => problem(null, error) })
}

function settingsOf(config: Config): SenderSettings {
  const { SMTP_URL: smtp, MAIL_FROM: from = '', TELEGRAM_TOKEN: token, WEBHOOK_TARGETS, PUBLIC_URL } = config
  const [publicUrl] = PUBLIC_URL
  return {
    ...(smtp === undefined ? {} : { smtp: { url: smtp, from } }),
    ...(token === undefined ? {} : { telegram: { token } }),
    webhookTargets: WEBHOOK_TARGETS,
    pushContact: publicUrl?.startsWith('https:')
      ? publicUrl
      : `mailto:${/[^<\s]+@[^>\s]+/.exec(from)?.[0] ?? 'digger@localhost'}`,
  }
}
