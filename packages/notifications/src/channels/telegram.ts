import { Api } from 'grammy'
import { type Channel, type Outgoing, type Sent, SENT } from './channel.ts'
import { absoluteLink, fitLines, titleLine } from './fit-text.ts'
import { telegramOutcome } from './telegram-outcome.ts'

/** UTF-16 units of one message. */
const MAX_LENGTH = 4_096
/** UTF-16 units of what is shown for a moment when a button was pressed. */
const MAX_ANSWER_LENGTH = 200
const TIMEOUT_SECONDS = 15
const MAX_BESIDE = 2

export interface TelegramAddress {
  /** Of a person or, below zero, a group. Up to 52 bits. */
  readonly chatId: number
}

export interface TelegramButton {
  readonly text: string
  /** Comes back when it is pressed, 1 to 64 bytes. */
  readonly data: string
}

export interface TelegramOptions {
  /** Of the operator's bot. */
  readonly token: string
  /** Another server of the Bot API than Telegram's, without a slash at its end. */
  readonly apiRoot?: string
  readonly timeoutSeconds?: number
}

/** Calls that end by themselves: by the reply, or after `timeoutSeconds`. */
export function telegramApi({ token, apiRoot, timeoutSeconds = TIMEOUT_SECONDS }: TelegramOptions): Api {
  return new Api(token, { timeoutSeconds, ...(apiRoot !== undefined && { apiRoot }) })
}

/** By the operator's bot, as plain text. */
export class TelegramChannel implements Channel<TelegramAddress> {
  readonly #api: Api

  constructor(options: TelegramOptions) {
    this.#api = telegramApi(options)
  }

  send({ chatId }: TelegramAddress, { title, lines, silent, url }: Outgoing): Promise<Sent> {
    const link = absoluteLink(url)
    return this.#message(chatId, [titleLine(title)], lines, link === null ? [] : [link], silent, [])
  }

  /** Answers a message of a person, cut at a line where it is too long. Two buttons are one row; of more each has its own. */
  reply(chatId: number, text: string, buttons: readonly TelegramButton[] = []): Promise<Sent> {
    return this.#message(chatId, [], text.split('\n'), [], false, buttons)
  }

  #message(
    chatId: number,
    above: readonly string[],
    lines: readonly string[],
    below: readonly string[],
    silent: boolean,
    buttons: readonly TelegramButton[],
  ): Promise<Sent> {
    const textOf = (shown: readonly string[]): string => [...above, ...shown, ...below].join('\n')
    const text = textOf(fitLines(lines, (shown) => textOf(shown).length <= MAX_LENGTH))
    const made = buttons.map(({ text, data }) => ({ text, callback_data: data }))
    // A phone cuts the words of three beside each other, and Telegram takes no more than eight.
    const rows = made.length > MAX_BESIDE ? made.map((one) => [one]) : [made]
    return settled(
      this.#api.sendMessage(chatId, text, {
        disable_notification: silent,
        link_preview_options: { is_disabled: true },
        ...(made.length > 0 && { reply_markup: { inline_keyboard: rows } }),
      }),
    )
  }

  /** Takes the waiting sign from a button that was pressed. */
  answerCallback(id: string, text?: string): Promise<Sent> {
    const [shown = ''] = fitLines(text === undefined ? [] : [text], ([line = '']) => line.length <= MAX_ANSWER_LENGTH)
    return settled(this.#api.answerCallbackQuery(id, shown === '' ? {} : { text: shown }))
  }
}

async function settled(call: Promise<unknown>): Promise<Sent> {
  try {
    await call
    return SENT
  } catch (error) {
    return telegramOutcome(error)
  }
}
