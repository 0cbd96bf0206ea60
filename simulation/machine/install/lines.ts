import dgram from 'node:dgram'
import dns from 'node:dns'
import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net, { type Server } from 'node:net'
import tls from 'node:tls'
import { wallNow } from '../clock.ts'
import { isListening, LISTENING } from '../listen.ts'
import { SimSocket } from '../socket.ts'
import { refuse, replace } from './replace.ts'

// Made when first asked for, from the real sockets.
void [process.stdout, process.stderr]

replace(net.Server.prototype, LISTENING)
Object.defineProperty(net.Server.prototype, 'listening', {
  configurable: true,
  get(this: Server): boolean {
    return isListening(this)
  },
})

/** As `net.connect`: the options are the socket's too. */
const connect = (...args: unknown[]): SimSocket => {
  const [first] = args
  const options = typeof first === 'object' && first !== null ? first : {}
  const socket = new SimSocket(options)
  if ('timeout' in options && typeof options.timeout === 'number') socket.setTimeout(options.timeout)
  if ('keepAlive' in options && options.keepAlive === true)
    socket.setKeepAlive(true, 'keepAliveInitialDelay' in options ? Number(options.keepAliveInitialDelay) : 0)
  return socket.connect(...args)
}
replace(net, { Socket: SimSocket, Stream: SimSocket, connect, createConnection: connect })

const { createServer } = http
/** Node looks for slow clients by real time; 2 ** 31 - 1: in 24 days for the first time. */
const UNCHECKED = { connectionsCheckingInterval: 2 ** 31 - 1 }
replace(http, {
  createServer: (options: unknown, ...rest: unknown[]) =>
    typeof options === 'function'
      ? Reflect.apply(createServer, http, [UNCHECKED, options])
      : Reflect.apply(createServer, http, [{ ...Object(options), ...UNCHECKED }, ...rest]),
})

/** Node keeps the text of the Date header by a timer of its own. The Date of an answer is the simulation's. */
const writeHead: (...args: never[]) => unknown = Reflect.get(http.ServerResponse.prototype, 'writeHead')
replace(http.ServerResponse.prototype, {
  writeHead(this: http.ServerResponse, ...args: unknown[]): unknown {
    if (!this.sendDate) return Reflect.apply(writeHead, this, args)
    this.sendDate = false
    const date = new Date(wallNow()).toUTCString()
    const headers = args.at(-1)
    if (Array.isArray(headers)) headers.push('Date', date)
    else this.setHeader('Date', date)
    return Reflect.apply(writeHead, this, args)
  },
})

/** Programs of a simulation speak over its lines, without TLS and without names. */
refuse(globalThis, 'globalThis', ['fetch', 'WebSocket', 'EventSource', 'BroadcastChannel'])
refuse(dns, 'dns', ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'resolveAny', 'reverse'])
refuse(dns.promises, 'dns.promises', ['lookup', 'lookupService', 'resolve', 'resolve4', 'resolve6', 'reverse'])
refuse(tls, 'tls', ['connect', 'createServer'])
refuse(https, 'https', ['request', 'get', 'createServer'])
refuse(http2, 'http2', ['connect', 'createServer', 'createSecureServer'])
refuse(dgram, 'dgram', ['createSocket'])
