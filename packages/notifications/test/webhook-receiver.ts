import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'
import { bodyOf, LocalServer } from './local-server.ts'

export interface ReceivedPost {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** By which name TLS was asked for; null: without. */
  readonly serverName: string | null
  /** As text, and as JSON where it is. */
  readonly text: string
  readonly json: unknown
}

export type Answer = (response: ServerResponse) => void

/** Takes whatever is posted to it. */
export class WebhookReceiver implements AsyncDisposable {
  readonly server: LocalServer
  readonly received: ReceivedPost[] = []
  /** How it answers from now on. */
  answer: Answer = status(200)

  constructor(certificate?: Certificate) {
    this.server = new LocalServer((request, response) => {
      void bodyOf(request).then((body) => {
        const text = body.toString('utf8')
        const { socket } = request
        this.received.push({
          method: request.method ?? '',
          path: request.url ?? '',
          headers: request.headers,
          serverName: socket instanceof TLSSocket ? String(Reflect.get(socket, 'servername')) : null,
          text,
          json: jsonOf(text),
        })
        return this.answer(response)
      })
    }, certificate)
  }

  static async start(certificate?: Certificate, address?: string, port?: number): Promise<WebhookReceiver> {
    const receiver = new WebhookReceiver(certificate)
    await receiver.server.listen(address, port)
    return receiver
  }

  get last(): ReceivedPost {
    const last = this.received.at(-1)
    if (last === undefined) throw new Error('nothing was received')
    return last
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.server[Symbol.asyncDispose]()
  }
}

export function status(code: number, headers: Readonly<Record<string, string>> = {}, body = ''): Answer {
  return (response) => {
    response.writeHead(code, headers)
    response.end(body)
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
