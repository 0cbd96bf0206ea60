import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyOf, LocalServer } from './local-server.ts'

export interface SentMessage {
  readonly chatId: number
  readonly text: string
  /** The whole call, as Telegram gets it. */
  readonly call: Readonly<Record<string, unknown>>
}

interface Refusal {
  readonly error_code: number
  readonly description: string
  readonly parameters?: Readonly<Record<string, number>>
}

interface Poll {
  readonly response: ServerResponse
  readonly timer: NodeJS.Timeout
}

type Update = { readonly update_id: number } & Readonly<Record<string, unknown>>

const BLOCKED: Refusal = { error_code: 403, description: 'Forbidden: bot was blocked by the user' }
const UNKNOWN: Refusal = { error_code: 400, description: 'Bad Request: chat not found' }
const TOO_LONG: Refusal = { error_code: 400, description: 'Bad Request: message is too long' }
const EMPTY: Refusal = { error_code: 400, description: 'Bad Request: message text is empty' }
const UNAUTHORIZED: Refusal = { error_code: 401, description: 'Unauthorized' }
const CONFLICT: Refusal = { error_code: 409, description: 'Conflict: terminated by other getUpdates request' }

/** Telegram's Bot API for one bot, with the people who talk to it: long polls, confirmation by offset, limits and refusals. */
export class BotApi implements AsyncDisposable {
  readonly server: LocalServer
  readonly token: string
  readonly sent: SentMessage[] = []
  /** Ids of the buttons' presses that were answered, with what was shown. */
  readonly answered: { readonly id: string; readonly text: string | null }[] = []
  /** Offsets that were asked from. */
  readonly polls: number[] = []
  /** Whom the bot may write to, and who blocked it since. */
  readonly chats = new Set<number>()
  readonly blocked = new Set<number>()
  /** Answers every call so, raw, until it is null again. */
  fault: ((response: ServerResponse) => void) | null = null
  #updates: Update[] = []
  #lastUpdate = 100
  #poll: Poll | null = null
  #isHeld = false

  constructor(token = '123456:AA-secret-token_of-the-bot') {
    this.token = token
    this.server = new LocalServer((request, response) => void this.#take(request, response))
  }

  static async start(token?: string): Promise<BotApi> {
    const api = new BotApi(token)
    await api.server.listen()
    return api
  }

  get options(): { readonly token: string; readonly apiRoot: string } {
    return { token: this.token, apiRoot: this.server.url('', '127.0.0.1') }
  }

  /** A person writes to the bot. */
  write(chatId: number, text: string, name = '홍길동'): void {
    this.chats.add(chatId)
    const from = { id: chatId, is_bot: false, first_name: name }
    this.add({ message: { message_id: 1, date: 0, chat: { id: chatId, type: 'private' }, from, text } })
  }

  /** A person presses a button. */
  press(chatId: number, data: string, id = `press-${this.#lastUpdate}`): void {
    const message = { message_id: 7, date: 0, chat: { id: chatId, type: 'private' } }
    const from = { id: chatId, is_bot: false, first_name: '홍', last_name: '길동' }
    this.add({ callback_query: { id, from, message, chat_instance: 'x', data } })
  }

  /** What people do meanwhile comes in one answer. */
  hold(people: () => void): void {
    this.#isHeld = true
    people()
    this.#isHeld = false
    this.#wake()
  }

  add(update: Readonly<Record<string, unknown>>): void {
    this.#lastUpdate += 1
    this.#updates.push({ update_id: this.#lastUpdate, ...update })
    this.#wake()
  }

  /** What was not confirmed by a later offset yet. */
  get unconfirmed(): number {
    return this.#updates.length
  }

  /** Whether a long poll is open. */
  get isPolled(): boolean {
    return this.#poll !== null
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request)
    if (this.fault !== null) return this.fault(response)
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    if (token !== this.token) return refuse(response, UNAUTHORIZED)
    const call: Record<string, unknown> = JSON.parse(body.toString('utf8') || '{}')
    if (method === 'getUpdates') return this.#getUpdates(call, response)
    if (method === 'getMe')
      return succeed(response, { id: 1, is_bot: true, first_name: 'Digger', username: 'digger_test_bot' })
    if (method === 'sendMessage') return this.#sendMessage(call, response)
    if (method !== 'answerCallbackQuery') return refuse(response, { error_code: 404, description: 'Not Found' })
    const { callback_query_id: id, text } = call
    this.answered.push({ id: String(id), text: typeof text === 'string' ? text : null })
    succeed(response, true)
  }

  #sendMessage(call: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    const [chatId, text] = [Number(call['chat_id']), String(call['text'])]
    if (this.blocked.has(chatId)) return refuse(response, BLOCKED)
    if (!this.chats.has(chatId)) return refuse(response, UNKNOWN)
    if (text.trim() === '') return refuse(response, EMPTY)
    if (text.length > 4_096) return refuse(response, TOO_LONG)
    this.sent.push({ chatId, text, call })
    succeed(response, { message_id: this.sent.length, date: 0, chat: { id: chatId, type: 'private' }, text })
  }

  #getUpdates(call: Readonly<Record<string, unknown>>, response: ServerResponse): void {
    const offset = Number(call['offset'] ?? 0)
    this.polls.push(offset)
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= offset)
    if (this.#poll !== null) this.#end(CONFLICT)
    const timer = setTimeout(() => this.#end(null), Number(call['timeout'] ?? 0) * 1_000)
    this.#poll = { response, timer }
    response.once('close', () => {
      clearTimeout(timer)
      if (this.#poll?.response === response) this.#poll = null
    })
    this.#wake()
  }

  #wake(): void {
    if (this.#updates.length > 0 && !this.#isHeld) this.#end(null)
  }

  #end(refusal: Refusal | null): void {
    if (this.#poll === null) return
    const { response, timer } = this.#poll
    this.#poll = null
    clearTimeout(timer)
    if (refusal === null) succeed(response, this.#updates)
    else refuse(response, refusal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end(null)
    await this.server[Symbol.asyncDispose]()
  }
}

function succeed(response: ServerResponse, result: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ok: true, result }))
}

/** As the real one: the code is the status too. */
export function refuse(response: ServerResponse, refusal: Refusal): void {
  response.writeHead(refusal.error_code, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ ok: false, ...refusal }))
}
