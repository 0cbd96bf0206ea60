/**
 * P21: a thousand browsers lose their live streams at the same moment and come back together, each to read its list: what that
 * costs the whole process of the server, next to a bare server that sends as many bytes ready made. And what ten thousand idle
 * streams weigh.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { realClock } from '@digger/database'
import { Live } from '@digger/screens'
import { ServerFixture } from '@digger/server/testing'
import { cpuOfProcess, printFigure, ratios, roundsOf } from './measure.ts'
import { Browsers, LIST } from './reconnect-browsers.ts'
import { codesOf, FIRST_PRICE, logIn, shareStocks, useEngineOutlook } from './shared-book.ts'

const BROWSERS = 1_000
const STOCKS = 10
const CODES = codesOf(STOCKS)
/** Changes while the browsers come back, each a bundle of its own: as many as a second has. */
const BUNDLES = 10
const ROUNDS = roundsOf(5)
/** A server that browsers come back to has been running for a while: its code is compiled. */
const WARM_UP = 2
const IDLE_STREAMS = 10_000
/** Open files of a process besides its streams. */
const OTHER_FILES = 500
/** Longer than the beat of a quiet stream (15 s) and than the time between two looks at its right (5 s). */
const IDLE_MS = 20_000

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function start(users: number) {
  const fixture = await ServerFixture.start({ parts: { wall: realClock } })
  const cookies = await logIn(fixture, users)
  await shareStocks(fixture, CODES)
  useEngineOutlook(fixture)
  const { port } = new URL(await fixture.app.listen({ host: '127.0.0.1', port: 0 }))
  return { fixture, cookies, port, browsers: new Browsers() }
}
type Started = Awaited<ReturnType<typeof start>>

/** Sends the same list and head of a stream, ready made; returns its port. */
async function startFloor({ fixture, cookies }: Started): Promise<string> {
  const list = await fixture.call('GET', LIST, { cookie: cookies[0] ?? '', headers: { 'accept-encoding': 'br' } })
  deepStrictEqual([list.statusCode, list.headers['content-encoding']], [200, 'br'])
  const server = createServer((request, response) => {
    if (request.url === LIST) return response.writeHead(200, list.headers).end(list.rawPayload)
    return response.writeHead(200, { 'content-type': 'text/event-stream' }).write('retry: 2000\n\n')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return String(typeof address === 'object' ? address?.port : 0)
}

let changes = 0
/** One won more for the next stock. */
function change({ accounts, services: { live } }: ServerFixture): void {
  if (!(live instanceof Live)) throw new Error('one process has its own')
  const code = CODES[(changes += 1) % STOCKS] ?? ''
  accounts.prices.set(code, { price: (accounts.lastPrice(code)?.price ?? FIRST_PRICE) + 1, at: Date.now() })
  live.priceChanged(code)
}

/** One change whenever another tenth of the browsers is back, so that a slow machine does not see more of them. */
function changeMeanwhile(fixture: ServerFixture): () => void {
  let next = BROWSERS / BUNDLES
  const timer = setInterval(() => {
    if (fixture.services.live.streams < next) return
    next += BROWSERS / BUNDLES
    change(fixture)
  }, 50)
  return () => clearInterval(timer)
}

/** Everybody loses the stream, every price changes, and everybody comes back. Returns the CPU seconds of coming back. */
async function storm({ fixture, port, browsers }: Started): Promise<number> {
  const { accounts, services } = fixture
  await browsers.do({ kind: 'cut' })
  while (services.live.streams > 0) await wait(50)
  for (const _ of CODES) change(fixture)
  // As after a long outage: memory knows no session.
  services.sessions.forgetAll()
  const before = cpuOfProcess()
  const stop = changeMeanwhile(fixture)
  await browsers.do({ kind: 'back', port })
  const cpu = cpuOfProcess() - before
  stop()
  await wait(500)
  const prices = Object.fromEntries(CODES.map((code) => [code, accounts.lastPrice(code)?.price ?? 0]))
  const lost = await browsers.do({ kind: 'compare', prices })
  deepStrictEqual([services.live.streams, lost], [BROWSERS, 0], 'all are back with the last price of every stock')
  return cpu
}

async function stormOfFloor(browsers: Browsers, port: string): Promise<number> {
  await browsers.do({ kind: 'cut' })
  const before = cpuOfProcess()
  await browsers.do({ kind: 'back', port })
  return cpuOfProcess() - before
}

async function storms(): Promise<void> {
  const started = await start(BROWSERS)
  const { browsers, cookies, port } = started
  const floorPort = await startFloor(started)
  await browsers.do({ kind: 'open', port, cookies })
  const [ours, floor]: [number[], number[]] = [[], []]
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    ours.push(await storm(started))
    floor.push(await stormOfFloor(browsers, floorPort))
  }
  const counted = [ours, floor].map((seconds) => seconds.slice(WARM_UP))
  printFigure(`P21 ${BROWSERS} browsers back with ${STOCKS} present prices, none lost, CPU s`, counted[0] ?? [], '≤ 1')
  printFigure('    the same, ours / ready-made bytes from node:http', ratios(counted[0], counted[1]))
  browsers.close()
}

/** How many files this process may have open: Node has raised its own limit as far as it may. */
const maxFiles = (): number => Number(execFileSync('sh', ['-c', 'ulimit -n']).toString()) || Infinity

async function idle(): Promise<void> {
  const streams = Math.min(IDLE_STREAMS, maxFiles() - OTHER_FILES)
  const { fixture, cookies, port, browsers } = await start(streams)
  const before = process.memoryUsage.rss()
  await browsers.do({ kind: 'open', port, cookies })
  const cpu = cpuOfProcess()
  await wait(IDLE_MS)
  const cores = (cpuOfProcess() - cpu) / (IDLE_MS / 1_000)
  deepStrictEqual(fixture.services.live.streams, streams)
  const megabytes = (process.memoryUsage.rss() - before) / 2 ** 20
  printFigure(
    `P21 ${IDLE_STREAMS} idle streams, growth of the process, MB`,
    [(megabytes * IDLE_STREAMS) / streams],
    '≤ 400',
  )
  if (streams < IDLE_STREAMS) console.log(`    told from ${streams} streams: this machine allows no more open files`)
  console.log(`    ${cores.toFixed(2)} cores while nothing happens: each stream's right is read again every 5 s`)
  browsers.close()
}

if (process.argv[2] === 'idle') await idle()
else {
  // Its memory has seen nothing else.
  const [code]: unknown[] = await once(fork(fileURLToPath(import.meta.url), ['idle']), 'exit')
  deepStrictEqual(code, 0)
  await storms()
}
process.exit(0)
