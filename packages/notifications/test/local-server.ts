import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Certificate } from './certificate.ts'

/** Listens on a port of its own, and ends with every connection it has. */
export class LocalServer implements AsyncDisposable {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  readonly secure: boolean
  /** How many connections were made so far. */
  connections = 0

  constructor(listener: RequestListener, certificate?: Certificate) {
    this.secure = certificate !== undefined
    this.#server = certificate === undefined ? createServer(listener) : createTlsServer({ ...certificate }, listener)
    this.#server.on('connection', (socket: Socket) => {
      this.connections += 1
      this.#sockets.add(socket)
      socket.once('close', () => this.#sockets.delete(socket))
    })
    // What a client sends that is no HTTP, or a handshake that it breaks off, is the client's test.
    this.#server.on('tlsClientError', () => undefined)
  }

  listen(address = '127.0.0.1', port = 0): Promise<this> {
    const { promise, resolve, reject } = Promise.withResolvers<this>()
    this.#server.once('error', reject)
    this.#server.listen(port, address, () => resolve(this))
    return promise
  }

  get port(): number {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('not listening')
    return address.port
  }

  /** `localhost` unless another name is given. */
  url(path = '/', host = 'localhost'): string {
    return `${this.secure ? 'https' : 'http'}://${host}:${this.port}${path}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    for (const socket of this.#sockets) socket.destroy()
    await promise
  }
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
