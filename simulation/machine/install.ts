import { createRequire, syncBuiltinESMExports } from 'node:module'
import type { Server } from 'node:net'
import { CHANCE, random } from './chance.ts'
import { clockOf, evenNow, wallNow } from './clock.ts'
import { systemFile } from './files.ts'
import { isListening, LISTENING } from './listen.ts'
import { SimSocket } from './socket.ts'
import { TIMERS, wait } from './timers.ts'
import { currentProcess, theWorld } from './world.ts'

/**
 * Puts the world in the place of what a program asks of Node: time, chance, lines, and the few files that tell of the
 * machine. To be imported before anything of the product: libraries keep the functions they find when they are loaded.
 */
const require = createRequire(import.meta.url)
// Made when first asked for, from the real sockets.
void [process.stdout, process.stderr]

function replace(target: object, members: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(members))
    Object.defineProperty(target, name, { value, writable: true, configurable: true, enumerable: true })
}

replace(globalThis, { ...TIMERS, Date: clockOf(Date) })
replace(require('node:timers'), TIMERS)
replace(require('node:timers/promises'), { setTimeout: wait })
replace(performance, { now: evenNow })
replace(Math, { random })
replace(require('node:crypto'), CHANCE)

const net = require('node:net')
replace(net.Server.prototype, LISTENING)
Object.defineProperty(net.Server.prototype, 'listening', {
  configurable: true,
  get(this: Server): boolean {
    return isListening(this)
  },
})
/** As Node does it: the time-out of the options counts from here, for a connection that is never made too. */
const connect = (...args: unknown[]): SimSocket => {
  const socket = new SimSocket()
  const { timeout = 0 }: { timeout?: number } = Object(args[0])
  if (timeout > 0) socket.setTimeout(timeout)
  return socket.connect(...args)
}
replace(net, { Socket: SimSocket, Stream: SimSocket, connect, createConnection: connect })

const fs = require('node:fs')
const { readFileSync, readlinkSync, existsSync } = fs
replace(fs, {
  readFileSync: (path: unknown, ...rest: unknown[]) => systemFile(path) ?? readFileSync(path, ...rest),
  readlinkSync: (path: unknown, ...rest: unknown[]) =>
    path === '/proc/self/ns/pid' ? `of ${currentProcess()?.name}` : readlinkSync(path, ...rest),
  // No pages are served: what is built or not must change nothing.
  existsSync: (path: unknown) => existsSync(path) && !(theWorld() !== null && String(path).includes('/web/dist')),
})

const zlib = require('node:zlib')
/** Node compresses on threads, whose end no seed decides. */
const atOnce =
  (work: (data: unknown, options: unknown) => unknown) =>
  (data: unknown, options: unknown, done?: (error: null, result: unknown) => void): void => {
    const [given, call] = typeof options === 'function' ? [{}, options] : [options, done]
    const result = work(data, given)
    process.nextTick(() => call?.(null, result))
  }
replace(zlib, { brotliCompress: atOnce(zlib.brotliCompressSync), gzip: atOnce(zlib.gzipSync) })

const http = require('node:http')
const { createServer } = http
replace(http, {
  // Its own look at slow connections goes by real time.
  createServer: (options: unknown, ...rest: unknown[]) =>
    typeof options === 'function'
      ? createServer({ connectionsCheckingInterval: 2 ** 31 - 1 }, options)
      : createServer({ ...Object(options), connectionsCheckingInterval: 2 ** 31 - 1 }, ...rest),
})
// The Date of an answer is the machine's; Node writes its own otherwise.
const { writeHead } = http.ServerResponse.prototype
replace(http.ServerResponse.prototype, {
  writeHead(this: { sendDate: boolean; setHeader(name: string, value: string): void }, ...args: unknown[]): unknown {
    if (!this.sendDate) return Reflect.apply(writeHead, this, args)
    this.sendDate = false
    const date = new Date(wallNow()).toUTCString()
    const headers = args.at(-1)
    if (Array.isArray(headers)) headers.push('Date', date)
    else this.setHeader('Date', date)
    return Reflect.apply(writeHead, this, args)
  },
})

/** Whoever loads the product is nobody: what names this machine or process must not get into a run. */
Object.defineProperty(process, 'pid', { configurable: true, get: () => currentProcess()?.pid ?? 1 })
replace(require('node:os'), { hostname: () => 'simulated' })

// undici keeps one clock for all clients of a Node process: here these belong to several processes of the world.
const undiciTimers = require(require.resolve('undici').replace(/index\.js$/, 'lib/util/timers.js'))
replace(undiciTimers, {
  setTimeout: TIMERS.setTimeout,
  clearTimeout: TIMERS.clearTimeout,
  setFastTimeout: TIMERS.setTimeout,
  clearFastTimeout: TIMERS.clearTimeout,
})

// Argon2 is slow on purpose and runs on threads.
const { createHash } = require('node:crypto')
const quick = (text: unknown, salt: unknown = ''): Buffer =>
  createHash('sha256').update(String(text)).update(String(salt)).digest()
const PREFIX = '$argon2id$v=19$m=65536,t=3,p=1$'
replace(require('@node-rs/argon2'), {
  hash: (text: unknown) => Promise.resolve(PREFIX + quick(text).toString('base64')),
  verify: (stored: unknown, text: unknown) => Promise.resolve(stored === PREFIX + quick(text).toString('base64')),
  hashRaw: (text: unknown, options: { salt?: Buffer }) => Promise.resolve(quick(text, options.salt?.toString('hex'))),
})

syncBuiltinESMExports()

process.on('uncaughtException', (error) => {
  const world = theWorld()
  if (world === null) throw error
  world.uncaught(error)
})
