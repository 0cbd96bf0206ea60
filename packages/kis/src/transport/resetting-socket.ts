import { Socket, isIP } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { buildConnector } from 'undici'

const KEEP_ALIVE_MS = 60_000

/** Open order connections of this process. */
const open = new Set<ResettingSocket>()

/**
 * A TCP connection that ends with a reset, whoever ends it. An ordinary end leaves what was written and not yet
 * delivered to the kernel, which goes on sending it for up to a minute, also after the process is gone: an order that
 * was given up would arrive all the same. A reset makes the kernel forget it.
 */
class ResettingSocket extends Socket {
  #resetting = false
  #cause: Error | undefined

  override destroy(error?: Error): this {
    // Without a connection nothing was written; and `resetAndDestroy` calls back here.
    if (this.#resetting || this.connecting || this.destroyed) return super.destroy(error ?? this.#cause)
    this.#resetting = true
    this.#cause = error
    return this.resetAndDestroy()
  }
}

/** A process that ends without closing its clients: its orders on the wire end with it. A kill leaves no time for this. */
process.once('exit', () => {
  for (const socket of open) socket.destroy()
})

/**
 * Makes undici's connections for orders. `tlsSocket.resetAndDestroy()` throws ERR_INVALID_HANDLE_TYPE, so TLS is put on
 * top of a socket of our own; ending the TLS socket ends that one. `timeoutMs` covers TCP and TLS together.
 */
export function resettingConnector(timeoutMs: number): buildConnector.connector {
  let session: Buffer | undefined
  return ({ hostname, protocol, port, servername }, callback) => {
    const secure = protocol === 'https:'
    const raw = new ResettingSocket()
    let waiting = true
    const failed = (error: Error): void => {
      if (!waiting) return
      waiting = false
      clearTimeout(timer)
      raw.destroy()
      callback(error, null)
    }
    const connected = (socket: Socket): void => {
      if (!waiting) return
      waiting = false
      clearTimeout(timer)
      callback(null, socket)
    }
    const timer = setTimeout(() => failed(new Error(`no connection within ${timeoutMs} ms`)), timeoutMs)
    raw.on('error', failed)
    raw.once('close', () => {
      open.delete(raw)
      failed(new Error('connection closed'))
    })
    raw.once('connect', () => {
      open.add(raw)
      if (!secure) return connected(raw)
      const tls = connectTls({
        socket: raw,
        host: hostname,
        servername: servername ?? (isIP(hostname) === 0 ? hostname : ''),
        ALPNProtocols: ['http/1.1'],
        ...(session !== undefined && { session }),
      })
      tls.on('session', (fresh) => (session = fresh))
      tls.on('error', failed)
      tls.once('secureConnect', () => connected(tls))
    })
    raw.setNoDelay(true)
    raw.setKeepAlive(true, KEEP_ALIVE_MS)
    raw.connect({ host: hostname, port: Number(port) || (secure ? 443 : 80) })
  }
}
