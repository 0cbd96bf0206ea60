import { sql } from 'kysely'
import { Refused } from '@digger/contract'
import type { Clock, Db } from '@digger/database'
import type { TelegramButton, TelegramChannel } from '../channels/telegram.ts'
import type { TelegramUpdate } from '../channels/telegram-updates.ts'
import { markOf } from '../outbox/addresses.ts'

export interface StopCommandParts {
  readonly db: Db
  readonly wall: Clock
  readonly key: Buffer
  readonly channel: TelegramChannel
  /** Cancels all that Digger itself ordered and stops the account. Resolves to what came of it; rejects with Refused. */
  readonly stopAll: (userId: string) => Promise<string>
  readonly problem: (userId: string | null, error: unknown) => void
}

/** A button of before is pressed by mistake, ms. */
const SECOND_STEP_MS = 2 * 60_000

export const isStopCommand = (text: string): boolean => /^(?:\/(?:stop|halt)(?:@\w+)?|멈춤|멈춰)$/i.test(text.trim())

/** Stops an account from a chat that is linked to it, in two steps. Letting it go on again needs a log-in. */
export class StopCommand {
  readonly #parts: StopCommandParts

  constructor(parts: StopCommandParts) {
    this.#parts = parts
  }

  /** First step: which account, and whether it is meant. */
  async ask(chatId: number): Promise<void> {
    const { channel, wall } = this.#parts
    const accounts = await this.#accountsOf(chatId)
    if (accounts.length === 0) return void (await channel.reply(chatId, NOT_LINKED))
    const at = wall.now()
    const buttons: TelegramButton[] = accounts.map(({ userId, email }) => ({
      text: accounts.length === 1 ? '모두 취소하고 멈춤' : `멈춤: ${email}`,
      data: `stop ${userId} ${at.toString(36)}`,
    }))
    await channel.reply(chatId, SURE, [...buttons, { text: '그대로 두기', data: 'leave' }])
  }

  /** Second step. Only a chat that is linked to the account now may take it. */
  async pressed({ chatId, data, id }: Extract<TelegramUpdate, { kind: 'callback' }>): Promise<void> {
    const { channel } = this.#parts
    // Beside the stop, which waits for nothing: Telegram may be slow.
    const answered = channel.answerCallback(id)
    await channel.reply(chatId, await this.#outcomeOf(chatId, data))
    await answered
  }

  async #outcomeOf(chatId: number, data: string): Promise<string> {
    const [, userId, asked] = /^stop (\S+) (\w+)$/.exec(data) ?? []
    if (userId === undefined || asked === undefined) return LEFT
    const age = this.#parts.wall.now() - Number.parseInt(asked, 36)
    // Also one that seems to come from tomorrow, by a clock that was set.
    if (Math.abs(age) > SECOND_STEP_MS) return TOO_LATE
    const accounts = await this.#accountsOf(chatId)
    if (!accounts.some((one) => one.userId === userId)) return NOT_LINKED
    return `${await this.#stop(userId)}\n${RELEASE}`
  }

  async #stop(userId: string): Promise<string> {
    const { stopAll, problem } = this.#parts
    try {
      return await stopAll(userId)
    } catch (error) {
      if (error instanceof Refused) return error.message
      // Its text is of the inside, and says nothing to a person.
      problem(userId, error)
      return UNKNOWN
    }
  }

  async #accountsOf(chatId: number): Promise<{ userId: string; email: string }[]> {
    const { db, key } = this.#parts
    const mark = markOf(key, { kind: 'telegram', chatId })
    const { rows } = await sql<{ userId: string; email: string }>`
      select c.user_id as "userId", u.email from notification_channel c join users u on u.id = c.user_id
      where c.kind = 'telegram' and c.mark = ${mark} order by u.email`.execute(db)
    return rows
  }
}

const SURE =
  'Digger가 낸 자동 주문을 모두 취소하고 매매를 멈출까요? 직접 낸 주문은 그대로 둡니다. 다시 시작하려면 로그인해야 합니다.'
const NOT_LINKED =
  '이 대화방은 어느 계좌에도 이어져 있지 않습니다. Digger의 알림 화면에서 코드를 만들어 먼저 이어 주세요.'
const LEFT = '그대로 두었습니다.'
const TOO_LATE = '2분이 지난 물음입니다. 멈추려면 /stop을 다시 보내 주세요.'
const RELEASE = '다시 시작하려면 Digger에 로그인해 주세요.'
const UNKNOWN = '멈췄는지 알 수 없습니다. /stop을 다시 보내 주세요. 급하면 증권사 앱에서 주문을 취소해 주세요.'
