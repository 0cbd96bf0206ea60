/**
 * P13, P14: a thousand browsers see fifty price changes a second. Ours goes the whole way from the price to the socket,
 * every browser another user's; the floor writes a ready-made frame to as many raw sockets at the same rhythm.
 */
import { deepStrictEqual } from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { realClock } from '@digger/database'
import { Live } from '@digger/screens'
import { ServerFixture } from '@digger/server/testing'
import { interleaved, median, ratios, cpuSpent, printFigure, type Times, roundsOf } from './measure.ts'
import { codesOf, FIRST_PRICE, logIn, shareStocks } from './shared-book.ts'

const CLIENTS = 1_000
const STOCKS = 50
const CHANGES_PER_SECOND = 50
const BUNDLES_PER_SECOND = 10
const SECONDS = 2
const ROUNDS = roundsOf(5)

/** What the process of the browsers sends. */
interface ClientReport {
  /** How many are connected so far; the other two come at the end. */
  readonly ready?: number
  readonly lost?: number
  readonly behind?: number
}

/** Reads one stream in the browsers' process and checks that prices go up by one won each, as they were sent. */
class Reader {
  readonly last = new Map<string, number>()
  lost = 0
  #rest = ''
  #ready: (() => void) | null

  constructor(socket: Socket, ready: () => void) {
    this.#ready = ready
    socket.setEncoding('latin1').on('data', (chunk: string) => this.#read(chunk))
  }

  #read(chunk: string): void {
    this.#ready?.()
    this.#ready = null
    const text = this.#rest + chunk
    const end = text.lastIndexOf('\n') + 1
    this.#rest = text.slice(end)
    for (const [, code = '', price] of text.slice(0, end).matchAll(/"code":"(\w+)","price":(\d+)/g)) {
      const before = this.last.get(code) ?? FIRST_PRICE
      this.lost += Number(price) - before - 1
      this.last.set(code, Number(price))
    }
  }
}

function serveClients(): void {
  const [, , , port, floorPort, cookies = ''] = process.argv
  const readers: Reader[] = []
  let connected = 0
  const ready = (): void => {
    connected += 1
    if (connected % 500 === 0) process.send?.({ ready: connected })
  }
  for (const cookie of cookies.split(',')) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`GET /api/user/events HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\n\r\n`)
    readers.push(new Reader(socket, ready))
    const plain = connect(Number(floorPort), '127.0.0.1')
    plain.once('connect', ready).resume()
  }
  process.on('message', (prices: Record<string, number>) => {
    const behind = readers.filter(({ last }) =>
      Object.entries(prices).some(([code, price]) => last.get(code) !== price),
    )
    process.send?.({ lost: readers.reduce((sum, reader) => sum + reader.lost, 0), behind: behind.length })
  })
}

const firstUser = ([cookie = '']: readonly string[]): string => cookie.split('=')[1] ?? ''

/** Opens the floor: a server that only collects raw sockets. */
async function startFloor() {
  const raw = new Set<Socket>()
  const server = createServer((socket) => void raw.add(socket.setNoDelay(true)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return { server, raw, port: typeof address === 'object' ? address?.port : 0 }
}

/** Starts the browsers in a process of their own; resolves when all are connected. */
async function startClients(origin: string, floorPort: number | undefined, cookies: readonly string[]) {
  const process = fork(fileURLToPath(import.meta.url), [
    'clients',
    new URL(origin).port,
    String(floorPort),
    cookies.join(','),
  ])
  const nextReport = async (): Promise<ClientReport> => {
    const [report]: ClientReport[] = await once(process, 'message')
    return report ?? {}
  }
  while ((await nextReport()).ready !== 2 * CLIENTS);
  return { process, nextReport }
}

/** What the browsers have at the end; on a busy machine they take a while to read it all. */
async function lastReport(clients: Awaited<ReturnType<typeof startClients>>, prices: Record<string, number>) {
  let report: ClientReport = {}
  for (let tries = 0; tries < 30 && report.behind !== 0; tries += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    clients.process.send(prices)
    report = await clients.nextReport()
  }
  return report
}

async function bench(): Promise<void> {
  await using fixture = await ServerFixture.start({ parts: { wall: realClock } })
  const cookies = await logIn(fixture, CLIENTS)
  const { live } = fixture.services
  if (!(live instanceof Live)) throw new Error('one process has its own')
  const codes = codesOf(STOCKS)
  await shareStocks(fixture, codes)
  const { prices } = fixture.accounts
  const origin = await fixture.app.listen({ host: '127.0.0.1', port: 0 })
  const floor = await startFloor()
  const clients = await startClients(origin, floor.port, cookies)
  let changes = 0
  // One user's bundles are counted: on a busy machine ours are late and fewer, which must not make them look cheap.
  let bundles = 0
  const perBundle: number[] = []
  live.join(firstUser(cookies), { write: () => (bundles += 1) > 0, end: () => undefined })
  const times = await interleaved(
    {
      ours: async () => {
        const before = bundles
        const took = await during(CHANGES_PER_SECOND, () => {
          const code = codes[(changes += 1) % STOCKS] ?? ''
          prices.set(code, { price: (prices.get(code)?.price ?? 0) + 1, at: Date.now() })
          live.priceChanged(code)
        })
        perBundle.push(took / (bundles - before))
        return took
      },
      floor: () =>
        during(BUNDLES_PER_SECOND, () => {
          for (const socket of floor.raw) socket.write(FRAME)
        }),
    },
    ROUNDS,
  )
  const { lost, behind } = await lastReport(
    clients,
    Object.fromEntries([...prices].map(([code, { price }]) => [code, price])),
  )
  deepStrictEqual(behind, 0, 'every browser ends with the last price of every stock')
  report(times, perBundle.slice(-ROUNDS), `${lost} of ${changes * CLIENTS} changes overtaken by a newer one`)
  clients.process.kill()
  floor.server.close()
  process.exit(0)
}

function report(times: Times, perBundle: readonly number[], overtaken: string): void {
  const label = 'P13 push, CPU a bundle, ours / ready-made frames to raw sockets'
  const perFrame = times['floor']?.map((cpu) => cpu / (SECONDS * BUNDLES_PER_SECOND))
  printFigure(label, ratios(perBundle, perFrame), '≤ 1.5')
  const cores = (times['ours'] ?? []).map((cpu) => cpu / (SECONDS * 1_000_000))
  printFigure('P14 push to 1,000 users, 50 changes a second, cores', cores, '≤ 0.4')
  const floorCores = median(times['floor'] ?? []) / (SECONDS * 1_000_000)
  console.log(`    ${overtaken}, 0 browsers without the last value; floor ${floorCores.toFixed(2)} cores`)
}

/** A bundle of five changes as ours sends it. */
const FRAME = Buffer.from(
  `event: prices\ndata: ${JSON.stringify({
    prices: Array.from({ length: CHANGES_PER_SECOND / BUNDLES_PER_SECOND }, (_, n) => ({
      code: String(100_000 + n),
      price: FIRST_PRICE,
      at: '2026-11-20T10:00:00.000+09:00',
    })),
  })}\n\n`,
)

/** CPU time of this thread while something happens so many times a second, µs. */
async function during(perSecond: number, work: () => void): Promise<number> {
  const start = cpuSpent()
  const began = performance.now()
  for (let n = 0; n < SECONDS * perSecond; n += 1) {
    const wait = began + (n * 1_000) / perSecond - performance.now()
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    work()
  }
  return cpuSpent() - start
}

if (process.argv[2] === 'clients') serveClients()
else await bench()
