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

/** What tests put in the place of the world outside. */
export interface NotifyingParts {
  readonly senders?: Partial<SenderSettings>
}

/** Of one process among several. */
export interface SharedNotifying {
  readonly addressKey: Buffer
  readonly process: () => string
}

interface Parts {
  readonly config: Config
  readonly database: Database
  readonly clock: Clock
  readonly wall: Clock
  readonly engine: Engine
  readonly timetable: () => Timetable
  readonly troubles: () => readonly Trouble[]
  readonly shards?: (() => readonly number[]) | undefined
  readonly shared?: SharedNotifying | undefined
  readonly given?: NotifyingParts | undefined
  readonly problem: (userId: string | null, error: unknown) => void
}

/** What tells people, put together. */
export interface Notifying {
  readonly setups: NotificationSetups
  start(): void
  /** Resolves when what is on its way has come to an end. */
  stop(): Promise<void>
}

export async function notifyingOf(parts: Parts): Promise<Notifying> {
  const { config, database, clock, wall, engine, timetable, troubles, shards, shared, given, problem } = parts
  const { db } = database
  const key =
    shared?.addressKey ?? addressKeyIn(config.NOTIFICATION_KEY_FILE ?? join(config.DATA_DIR, 'notification.key'))
  const settings: SenderSettings = { ...settingsOf(config), ...given?.senders }
  const senders = new Senders(settings, await vapidKeysOf(db, key), wall)
  const isFirst = (): boolean => database.owned.has(0)
  const { telegram } = settings
  const bot =
    telegram === undefined || senders.telegram === null
      ? undefined
      : new TelegramBot({ db, wall, key, problem, settings: telegram, channel: senders.telegram, isMine: isFirst })
  const [publicUrl = ''] = config.PUBLIC_URL
  const run = new Notifications({
    database,
    clock,
    wall,
    accounts: engine,
    attention: () => engine.health.attention(),
    timetable,
    troubles,
    process: shared?.process ?? (() => ONE_SERVER),
    key,
    senders,
    bot,
    pageOf: (userId) => `${publicUrl}/${userId}/notification`,
    problem,
    ...(shards === undefined ? {} : { shards }),
  })
  const heartbeat = heartbeatOf(parts)
  const botName = botNameOf(telegram, wall)
  return {
    setups: new NotificationSetups({ db, wall, key, senders, botName, told: () => run.wake() }),
    start() {
      run.start()
      heartbeat?.start()
    },
    async stop() {
      await Promise.all([run.stop(), heartbeat?.stop()])
    },
  }
}

function heartbeatOf({ config, clock, wall, timetable, troubles, problem }: Parts): Heartbeat | null {
  const { HEARTBEAT_URL: url } = config
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
