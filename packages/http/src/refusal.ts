import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { type ErrorCode, STATUS_OF } from '@digger/contract'
import { SECURITY_HEADERS, STAY_SECURE } from './security.ts'

/** A reply to a request that is not looked at any further: made once, sent as it is, and the connection with it. */
export interface Refusal {
  readonly status: number
  readonly headers: Readonly<Record<string, string | number>>
  readonly body: Buffer
}

export function refusal(code: ErrorCode, message: string): Refusal {
  const status = STATUS_OF[code]
  const body = Buffer.from(JSON.stringify({ code, message }))
  const headers = {
    ...SECURITY_HEADERS,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    connection: 'close',
  }
  return { status, body, headers: status === 429 ? { ...headers, 'retry-after': '10' } : headers }
}

/** The same where people come over TLS. */
export const overTls = (refused: Refusal): Refusal => ({ ...refused, headers: { ...refused.headers, ...STAY_SECURE } })

const UNREAD = refusal('INVALID', '요청을 읽을 수 없습니다. 본문과 주소를 확인해 주세요.')
const UNREAD_STATUS: Readonly<Record<string, number>> = { ERR_HTTP_REQUEST_TIMEOUT: 408, HPE_HEADER_OVERFLOW: 431 }

/** What the parser refuses is no request yet, so no reply is there to write it with, and no name by which it came. */
export function refuseUnread(error: Error & { readonly code?: string }, socket: Socket, isSecure: boolean): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  const status = UNREAD_STATUS[error.code ?? ''] ?? UNREAD.status
  const { headers, body } = isSecure ? overTls(UNREAD) : UNREAD
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable)
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body.toString()}`)
  socket.destroy(error)
}

function sendRefusal(response: ServerResponse, { status, headers, body }: Refusal): void {
  response.writeHead(status, headers).end(body)
}

/** With more than these waiting it costs less to answer at once. */
const MAX_HELD = 1_000

/**
 * Refusals that wait, so that whoever asks without pause is slowed down. Nothing more is read from it meanwhile, and what
 * was read already gets no answer.
 */
export class HeldRefusals {
  readonly #held = new WeakSet<object>()
  readonly #ms: number
  #count = 0

  constructor(ms: number) {
    this.#ms = ms
  }

  send(request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
    const { socket } = request
    if (this.#held.has(socket)) return
    if (this.#count >= MAX_HELD) return sendRefusal(response, refused)
    this.#held.add(socket)
    socket.pause()
    this.#count += 1
    const timer = setTimeout(() => sendRefusal(response, refused), this.#ms).unref()
    response.once('close', () => {
      clearTimeout(timer)
      this.#count -= 1
    })
  }
}
