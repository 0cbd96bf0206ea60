/**
 * Strangers who want to fill the disk and keep the server busy, in a process of their own: `start` and `stop` come from
 * the parent, a tally of statuses goes back. Each waits for its answer and asks again at once.
 */
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const CONNECTIONS = 48
const PIPELINING = 4
const GIVE_UP_MS = 5_000
const LONG = 'x'.repeat(1_500)
const GARBAGE = Buffer.alloc(4_000, '{"email":[[[[')

const base = new URL(process.argv[2] ?? '')
const tally = new Map<string, number>()
let flooding = false
let number = 0

const count = (what: string): void => void tally.set(what, (tally.get(what) ?? 0) + 1)

/** Sends one request; resolves when it was answered or cut off. */
function ask(agent: Agent): Promise<void> {
  number += 1
  const garbage = number % 3 === 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const options = garbage
    ? { method: 'POST', path: '/api/login', headers: { 'content-type': 'application/json' } }
    : { method: 'GET', path: `/api/${number}/${LONG}` }
  const asked = request({ ...options, host: base.hostname, port: base.port, agent, timeout: GIVE_UP_MS }, (reply) => {
    count(String(reply.statusCode))
    reply.resume().once('close', resolve)
  })
  asked.once('timeout', () => asked.destroy())
  asked.once('error', () => {
    count('cut off')
    resolve()
  })
  asked.end(garbage ? GARBAGE : undefined)
  return promise
}

/** Sends many requests at once without waiting for an answer to any. */
function pour(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const socket = connect(Number(base.port), base.hostname)
  socket.setTimeout(GIVE_UP_MS, () => socket.destroy())
  socket.on('error', () => undefined)
  socket.resume().once('close', () => {
    count('poured')
    resolve()
  })
  socket.write(`GET /api/${LONG}/x HTTP/1.1\r\nHost: ${base.host}\r\n\r\n`.repeat(20))
  return promise
}

async function keepAt(once: () => Promise<void>): Promise<void> {
  for (;;) {
    if (flooding) await once()
    else await delay(20)
  }
}

process.on('message', (command) => {
  flooding = command === 'start'
  if (command === 'stop') process.send?.(Object.fromEntries(tally))
})
process.on('disconnect', () => process.exit(0))
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
for (let n = 0; n < CONNECTIONS; n += 1) void keepAt(() => ask(agent))
for (let n = 0; n < PIPELINING; n += 1) void keepAt(pour)
process.send?.('ready')
