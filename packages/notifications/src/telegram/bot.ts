import type { Clock, Db } from '@digger/database'
import type { TelegramChannel } from '../channels/telegram.ts'
import { TelegramUpdates, type TelegramUpdate } from '../channels/telegram-updates.ts'
import { addChannel } from '../outbox/addresses.ts'
import { useLinkCode } from './links.ts'
import { isStopCommand, StopCommand } from './stop-command.ts'

export interface TelegramBotParts {
  readonly db: Db
  readonly wall: Clock
  readonly key: Buffer
  readonly settings: { readonly token: string; readonly apiRoot?: string }
  readonly channel: TelegramChannel
  /** Of all processes one may ask Telegram what people write. */
  readonly isMine: () => boolean
  /** Cancels all that Digger itself ordered and stops the account. Resolves to what came of it; rejects with Refused. */
  readonly stopAll: (userId: string) => Promise<string>
  readonly problem: (userId: string | null, error: unknown) => void
}

/** Answers what people write to the operator's bot: the code that links their chat to their account, and the stop. */
export class TelegramBot {
  readonly #parts: TelegramBotParts
  readonly #stop: StopCommand
  #updates: TelegramUpdates | null = null

  constructor(parts: TelegramBotParts) {
    this.#parts = parts
    this.#stop = new StopCommand(parts)
  }

  /** Begins or ends to listen, as it is this process' turn or no longer. Called every few seconds. */
  look(): Promise<void> {
    const { isMine, settings, problem } = this.#parts
    if (!isMine()) return this.stop()
    this.#updates ??= new TelegramUpdates({
      ...settings,
      listener: (update) => this.#answer(update),
      problem: (why, error) => problem(null, error ?? new Error(why)),
    })
    this.#updates.start()
    return Promise.resolve()
  }

  async stop(): Promise<void> {
    const updates = this.#updates
    this.#updates = null
    await updates?.stop()
  }

  async #answer(update: TelegramUpdate): Promise<void> {
    if (update.kind === 'callback') return this.#stop.pressed(update)
    if (isStopCommand(update.text)) return this.#stop.ask(update.chatId)
    const { channel } = this.#parts
    const code = /^(?:\/start\s+)?([A-Za-z0-9]{10})$/.exec(update.text.trim())?.[1]
    await channel.reply(update.chatId, code === undefined ? HOW : await this.#link(update, code))
  }

  async #link({ chatId, from }: TelegramUpdate, code: string): Promise<string> {
    // What is linked belongs to one person: in a group others would read it, and press its buttons.
    if (chatId !== from.id) return ONLY_ALONE
    const { db, wall, key } = this.#parts
    const now = wall.now()
    const userId = await useLinkCode(db, code, now)
    if (userId === null) return NO_SUCH_CODE
    const added = {
      address: { kind: 'telegram', chatId } as const,
      label: `텔레그램 ${from.name}`.trim(),
      amounts: true,
    }
    return (await addChannel(db, key, userId, added, now)) ? LINKED : TOO_MANY
  }
}

const HOW =
  'Digger의 알림 화면에서 텔레그램에 잇는 코드를 만들어 여기에 보내 주세요. 이어진 뒤에는 /stop으로 멈출 수 있습니다.'
const ONLY_ALONE = '여럿이 있는 방에는 이을 수 없습니다. 봇과 둘이 있는 방에서 코드를 보내 주세요.'
const NO_SUCH_CODE = '없거나 시간이 지난 코드입니다. Digger의 알림 화면에서 새 코드를 만들어 주세요.'
const LINKED = '이어졌습니다. 이제 Digger의 알림을 여기로 보냅니다. /stop을 보내면 모두 취소하고 멈출 수 있습니다.'
const TOO_MANY = '알림 받는 곳이 너무 많습니다. Digger의 알림 화면에서 쓰지 않는 곳을 지운 뒤 다시 해 주세요.'
