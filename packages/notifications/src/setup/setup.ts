import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import {
  type ChannelChange,
  type NewChannel,
  NOTIFICATION_LABELS,
  type NotificationItem,
  type NotificationSettings,
  type NotificationSetup,
  Refused,
} from '@digger/contract'
import { kstIso } from '@digger/core'
import type { Clock, Db } from '@digger/database'
import { findUser } from '@digger/identity'
import { addChannel } from '../outbox/addresses.ts'
import { notify } from '../outbox/notify.ts'
import type { Senders } from '../senders.ts'
import { LINK_MS, newLinkCode } from '../telegram/links.ts'
import {
  changeChannel,
  countUndelivered,
  readChannels,
  readNotifications,
  readSettings,
  removeChannel,
  writeSettings,
} from './channel-rows.ts'

export interface SetupParts {
  readonly db: Db
  readonly wall: Clock
  readonly key: Buffer
  readonly senders: Senders
  /** Name of the bot, as Telegram says it; null: there is none, or it could not be asked. */
  readonly botName: () => Promise<string | null>
  /** Somebody has something new to be told. */
  readonly wake: () => void
}

/** What a person sets up on the page 알림. */
export class NotificationSetups {
  readonly #parts: SetupParts

  constructor(parts: SetupParts) {
    this.#parts = parts
  }

  list(userId: string): Promise<NotificationItem[]> {
    return readNotifications(this.#parts.db, userId)
  }

  /** Of everybody, for whoever watches over the server. */
  counts(): Promise<{ readonly waiting: number; readonly failing: number }> {
    return countUndelivered(this.#parts.db)
  }

  async read(userId: string): Promise<NotificationSetup> {
    const { db, senders, botName } = this.#parts
    const settings = await readSettings(db, userId)
    const channels = await readChannels(db, userId)
    const offered = { push: senders.pushKey, telegram: await botName(), email: senders.email }
    return { ...settings, channels, offered }
  }

  async write(userId: string, settings: NotificationSettings): Promise<NotificationSetup> {
    await writeSettings(this.#parts.db, userId, settings)
    return this.read(userId)
  }

  /** Throws Refused where nothing can be sent there. */
  async add(userId: string, given: NewChannel): Promise<NotificationSetup> {
    const { db, key, wall, senders, wake } = this.#parts
    const user = await findUser(db, userId)
    const checked = senders.addressOf(given, user?.email ?? '')
    if (typeof checked === 'string') throw new Refused('INVALID', checked)
    // A locked phone shows a push to whoever holds it.
    const channel = { ...checked, amounts: given.kind !== 'push' }
    if (!(await addChannel(db, key, userId, channel, wall.now()))) throw new Refused('CONFLICT', TOO_MANY)
    wake()
    return this.read(userId)
  }

  async change(userId: string, id: number, change: z.output<typeof ChannelChange>): Promise<NotificationSetup> {
    if (!(await changeChannel(this.#parts.db, { userId, id }, change))) throw new Refused('NOT_FOUND', NO_CHANNEL)
    return this.read(userId)
  }

  async remove(userId: string, id: number): Promise<NotificationSetup> {
    if (!(await removeChannel(this.#parts.db, userId, id))) throw new Refused('NOT_FOUND', NO_CHANNEL)
    return this.read(userId)
  }

  /** Throws Refused where this server has no bot. */
  async linkTelegram(userId: string): Promise<{ code: string; url: string; expiresAt: string }> {
    const { db, wall, botName } = this.#parts
    const name = await botName()
    if (name === null) throw new Refused('CONFLICT', NO_BOT)
    const now = wall.now()
    const code = await newLinkCode(db, userId, now)
    return { code, url: `https://t.me/${name}?start=${code}`, expiresAt: kstIso(now + LINK_MS) }
  }

  /** Everything was stopped from outside of Digger's pages: by the secret link, or by Telegram. Told once of each job. */
  stopPressed(userId: string, message: string, jobId: number): Promise<void> {
    const text = `멈춤 링크나 텔레그램으로 멈췄습니다. ${message} 다시 시작하려면 로그인해 주세요.`
    return this.#notify(userId, 'stopPressed', text, String(jobId))
  }

  /** Whoever has the password and is not its person is found out by this. */
  newDevice(userId: string, address: string): Promise<void> {
    const text = `처음 보는 기기에서 로그인했습니다(${address}). 본인이 아니면 바로 비밀번호를 바꿔 주세요.`
    return this.#notify(userId, 'newDevice', text)
  }

  /** How this person logs in was changed, or somebody tries to be them. */
  accessChanged(userId: string, text: string): Promise<void> {
    return this.#notify(userId, 'newDevice', `${text} 본인이 한 일이 아니면 바로 비밀번호를 바꿔 주세요.`)
  }

  /** Goes the way of every other one. Throws Refused where there is nowhere to send it. */
  async test(userId: string): Promise<void> {
    const channels = await readChannels(this.#parts.db, userId)
    if (!channels.some(({ on }) => on)) throw new Refused('CONFLICT', NOWHERE)
    const text = `${NOTIFICATION_LABELS.test}입니다. 이 알림이 보이면 Digger가 여기로 알릴 수 있습니다.`
    await this.#notify(userId, 'test', text)
  }

  async #notify(
    userId: string,
    kind: 'stopPressed' | 'newDevice' | 'test',
    text: string,
    about: string = randomUUID(),
  ): Promise<void> {
    const { db, wall, wake } = this.#parts
    await notify(db, [{ userId, subject: `${kind} ${about}`, kind, at: wall.now(), text }])
    wake()
  }
}

const NO_CHANNEL = '그런 받는 곳이 없습니다. 화면을 새로 고쳐 주세요.'
const TOO_MANY = '받는 곳이 너무 많습니다. 쓰지 않는 곳을 지운 뒤 다시 더해 주세요.'
const NO_BOT = '이 서버에는 텔레그램 봇이 없습니다. 서버 운영자가 TELEGRAM_TOKEN을 정해야 합니다.'
const NOWHERE = '켜져 있는 받는 곳이 없습니다. 먼저 이 기기나 다른 받는 곳을 더해 주세요.'
