import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

export interface Written {
  readonly chatId: number
  readonly fromId?: number
  readonly text: string
}

/** Telegram's Bot API, as far as a bot that answers needs it, on a real socket. */
export class FakeTelegram {
  readonly replies: { chatId: number; text: string }[] = []
  #updates: { update_id: number; message: unknown }[] = []
  #lastUpdate = 0
  readonly #server: Server
  readonly #polling = new Set<() => void>()
  #replied: (() => void)[] = []
  apiRoot = ''
  /** How many ask for news at the moment. */
  get polls(): number {
    return this.#polling.size
  }

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response))
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    this.apiRoot = `http://127.0.0.1:${address.port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    await new Promise((resolve) => this.#server.close(resolve))
  }

  /** Somebody writes to the bot; resolves with what the bot answers. */
  async write({ chatId, fromId = chatId, text: message }: Written): Promise<string> {
    const before = this.replies.length
    this.#lastUpdate += 1
    const update_id = this.#lastUpdate
    const from = { id: fromId, is_bot: false, first_name: '길동', last_name: '홍' }
    this.#updates.push({
      update_id,
      message: { message_id: update_id, date: 0, chat: { id: chatId, type: 'private' }, from, text: message },
    })
    for (const wake of this.#polling) wake()
    while (this.replies.length === before) await new Promise<void>((resolve) => this.#replied.push(resolve))
    return this.replies.at(-1)?.text ?? ''
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body: Record<string, unknown> = JSON.parse((await text(request)) || '{}')
    const result = request.url?.endsWith('/getUpdates') ? await this.#poll(request, body) : this.#sent(body)
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }))
  }

  #sent({ chat_id: chatId, text: message }: Record<string, unknown>): unknown {
    this.replies.push({ chatId: Number(chatId), text: String(message) })
    for (const resolve of this.#replied.splice(0)) resolve()
    return { message_id: this.replies.length, date: 0, chat: { id: chatId, type: 'private' }, text: message }
  }

  async #poll(request: IncomingMessage, { offset = 0, timeout = 0 }: Record<string, unknown>): Promise<unknown[]> {
    // Whoever asks from a number on has had those before it: they are forgotten.
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= Number(offset))
    if (this.#updates.length === 0 && Number(timeout) > 0)
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#polling.delete(wake)
          resolve()
        }
        this.#polling.add(wake)
        request.socket.once('close', wake)
      })
    return this.#updates
  }
}
