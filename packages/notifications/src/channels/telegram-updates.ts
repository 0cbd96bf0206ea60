import { setTimeout as delay } from 'node:timers/promises'
import type { Api } from 'grammy'
import type { Update, User } from 'grammy/types'
import { telegramApi, type TelegramOptions } from './telegram.ts'
import { telegramOutcome } from './telegram-outcome.ts'

/** Telegram keeps a question for news open so long, seconds; an answer that takes longer was lost on the way. */
const POLL_SECONDS = 25
const POLL_SLACK_SECONDS = 10
/** A listener that fails gets the same update so often, then the next one: one that always fails must not hide all others. */
const MAX_TRIES = 5
const CONFIRM_TIMEOUT_MS = 2_000

/** Who wrote or pressed; in a group it need not be whom the chat was connected for. */
export interface TelegramPerson {
  readonly id: number
  readonly name: string
}

export type TelegramUpdate =
  | {
      readonly kind: 'text'
      readonly chatId: number
      readonly text: string
      readonly from: TelegramPerson
    }
  | {
      readonly kind: 'callback'
      readonly chatId: number
      /** Of the button. */
      readonly data: string
      /** For `answerCallback`. */
      readonly id: string
      /** Of the message with the button. */
      readonly messageId: number
      readonly from: TelegramPerson
    }

export interface TelegramUpdatesOptions extends TelegramOptions {
  /** Those of one chat one after the other, in their order; chats beside each other. May get the same one again: after it failed, or when the process ended meanwhile. */
  readonly listener: (update: TelegramUpdate) => Promise<void> | void
  /** Why nothing can be received now, or that the listener failed: a sentence without secrets, and the listener's error. */
  readonly problem: (why: string, error?: unknown) => void
  /** After an error: first, then twice as long each time, ms. */
  readonly backoff?: { readonly firstMs: number; readonly maxMs: number }
  readonly pollSeconds?: number
}

const LISTENER_FAILED = '텔레그램 메시지를 처리하지 못했습니다. 잠시 뒤 다시 처리합니다.'
const GIVEN_UP = '텔레그램 메시지 하나를 여러 번 처리하지 못해 넘어갑니다. 보낸 사람이 다시 보내야 합니다.'
const DEFAULT_BACKOFF = { firstMs: 1_000, maxMs: 60_000 }

type PollSignal = NonNullable<Parameters<Api['getUpdates']>[1]>
/** The library names the class that it brings for old Nodes; of a signal it takes only the event. */
const isPollSignal = (signal: unknown): signal is PollSignal => signal instanceof AbortSignal

/** What people write to the bot and which buttons they press. Of all processes one may ask; Telegram answers others with 409. */
export class TelegramUpdates {
  readonly #options: TelegramUpdatesOptions
  readonly #api: Api
  readonly #pollSeconds: number
  readonly #stopping = new AbortController()
  /** Telegram forgets every update below it once it is asked for the rest. */
  #offset = 0
  #failures = 0
  #running: Promise<void> | null = null

  constructor(options: TelegramUpdatesOptions) {
    this.#options = options
    this.#pollSeconds = options.pollSeconds ?? POLL_SECONDS
    this.#api = telegramApi({ ...options, timeoutSeconds: this.#pollSeconds + POLL_SLACK_SECONDS })
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Resolves when the listener is done with what it has, and nothing more comes. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#giveAll(await this.#poll(this.#pollSeconds, signal))
      } catch (error) {
        if (!signal.aborted) await this.#failed(error)
      }
    }
    // What was given is confirmed, so that the next process does not get it again; if this fails, it does.
    if (this.#offset > 0) await this.#poll(0, AbortSignal.timeout(CONFIRM_TIMEOUT_MS)).catch(() => [])
  }

  async #poll(seconds: number, signal: AbortSignal): Promise<readonly Update[]> {
    const updates = await this.#api.getUpdates(
      { offset: this.#offset, timeout: seconds, allowed_updates: ['message', 'callback_query'] },
      isPollSignal(signal) ? signal : undefined,
    )
    if (!Array.isArray(updates)) throw new TypeError('no list of updates')
    this.#failures = 0
    return updates
  }

  async #giveAll(updates: readonly Update[]): Promise<void> {
    const unnumbered = updates.findIndex((update) => !Number.isSafeInteger(update.update_id))
    const numbered = unnumbered < 0 ? updates : updates.slice(0, unnumbered)
    const chats = Map.groupBy(numbered.flatMap(receivedOf), ({ update }) => update.chatId)
    // Nobody's stop waits for what somebody else is answered.
    const left = await Promise.all(Array.from(chats.values(), (chat) => this.#giveInTurn(chat)))
    const end = (numbered.at(-1)?.update_id ?? this.#offset - 1) + 1
    this.#offset = Math.min(end, ...left.filter((number) => number !== null))
    if (unnumbered >= 0) throw new TypeError('an update without its number')
  }

  /** Number of the first one that the listener was not done with; null: it was with all. */
  async #giveInTurn(chat: readonly Received[]): Promise<number | null> {
    for (const { number, update } of chat) if (!(await this.#give(update))) return number
    return null
  }

  /** False: stopped before the listener was done with it. */
  async #give(update: TelegramUpdate): Promise<boolean> {
    const { listener, problem } = this.#options
    for (let tries = 1; !this.#stopping.signal.aborted; tries += 1) {
      try {
        await listener(update)
        return true
      } catch (error) {
        const isLast = tries >= MAX_TRIES
        problem(isLast ? GIVEN_UP : LISTENER_FAILED, error)
        if (isLast) return true
        await this.#pause(this.#backoffMs(tries))
      }
    }
    return false
  }

  async #failed(error: unknown): Promise<void> {
    const outcome = telegramOutcome(error)
    if (outcome.kind !== 'sent') this.#options.problem(outcome.why)
    this.#failures += 1
    const afterMs = outcome.kind === 'again' ? (outcome.afterMs ?? 0) : 0
    await this.#pause(Math.max(afterMs, this.#backoffMs(this.#failures)))
  }

  #backoffMs(failures: number): number {
    const { firstMs, maxMs } = this.#options.backoff ?? DEFAULT_BACKOFF
    return Math.min(firstMs * 2 ** Math.min(failures - 1, 30), maxMs)
  }

  async #pause(ms: number): Promise<void> {
    await delay(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }
}

interface Received {
  readonly number: number
  readonly update: TelegramUpdate
}

function receivedOf(update: Update): Received[] {
  const read = readUpdate(update)
  return read === null ? [] : [{ number: update.update_id, update: read }]
}

/** Null: nothing that is listened to, as a picture, or nothing that can be read: refused, it would come again for ever. */
function readUpdate(update: Update): TelegramUpdate | null {
  try {
    return updateOf(update)
  } catch {
    return null
  }
}

function updateOf({ message, callback_query: pressed }: Update): TelegramUpdate | null {
  if (message?.text !== undefined)
    return { kind: 'text', chatId: message.chat.id, text: message.text, from: personOf(message.from) }
  if (pressed?.data === undefined || pressed.message === undefined) return null
  const { chat, message_id: messageId } = pressed.message
  return {
    kind: 'callback',
    chatId: chat.id,
    data: pressed.data,
    id: pressed.id,
    messageId,
    from: personOf(pressed.from),
  }
}

const personOf = ({ id, first_name: first, last_name: last }: User): TelegramPerson => ({
  id,
  name: last === undefined ? first : `${first} ${last}`,
})
