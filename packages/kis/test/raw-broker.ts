import { once } from 'node:events'
import { createServer } from 'node:net'
import type { Server, Socket } from 'node:net'

/** What a connection does when a whole request has arrived on it; the requests of all connections are counted from 1. */
export type Behaviour = (socket: Socket, nth: number) => void

/** A broker at the level of bytes: a test says what is written, cut or left out. */
export class RawBroker implements AsyncDisposable {
  /** First line of each whole request. */
  readonly requests: string[] = []
  readonly sockets: Socket[] = []
  readonly #behaviour: Behaviour
  readonly #server: Server

  constructor(behaviour: Behaviour) {
    this.#behaviour = behaviour
    this.#server = createServer({ noDelay: true }, (socket) => this.#join(socket))
  }

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get url(): string {
    const address = this.#server.address()
    return `http://127.0.0.1:${address !== null && typeof address === 'object' ? address.port : 0}`
  }

  #join(socket: Socket): void {
    this.sockets.push(socket)
    socket.on('error', () => socket.destroy())
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0)
      if (end === -1 || text.length < end + 4 + length) return
      this.requests.push(text.slice(0, text.indexOf('\r\n')))
      text = ''
      this.#behaviour(socket, this.requests.length)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** A whole HTTP response with this JSON body. */
export function responseOf(body: unknown, headers = ''): string {
  const text = JSON.stringify(body)
  return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${headers}Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}
