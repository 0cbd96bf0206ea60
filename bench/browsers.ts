/**
 * Browsers in a process of their own: each keeps a stream open, connects again as the web client does, and then reads the
 * list of stocks anew. Every price is another change of the market, so that what came late or never is seen.
 */
import { connect } from 'node:net'
import { Pool } from 'undici'
import { type BrowsersOrder, type BrowsersReport, changeOf, monotonicNow } from './browsers-process.ts'

/** Between tries, ms, as in packages/web/src/live/stream.ts. */
const WAITS = [500, 1_000, 2_000, 5_000, 10_000]
/** Connections for lists to each place: an HTTP/1.1 browser has six, and a thousand do not ask at the same moment. */
const LIST_CONNECTIONS = 32
const PRICE = /"code":"(\w+)","price":(\d+)/g

/** Which change was received when, by any of the browsers, since they were asked last. */
let received: { readonly change: number; readonly at: number }[] = []
let bundles = 0
const pools = new Map<string, Pool>()

class Browser {
  readonly place: string
  readonly last = new Map<string, number>()
  /** Times that the stream was opened, and that the list was read after it. */
  opened = 0
  reread = 0
  #tries = 0
  readonly #origin: string
  readonly #cookie: string

  constructor(place: string, origin: string, cookie: string) {
    this.place = place
    this.#origin = origin
    this.#cookie = cookie
    this.#connect()
  }

  #connect(): void {
    const { port, hostname, host } = new URL(this.#origin)
    const socket = connect(Number(port), hostname)
    let rest = ''
    let isOpen = false
    socket.write(`GET /api/user/events HTTP/1.1\r\nhost: ${host}\r\ncookie: ${this.#cookie}\r\n\r\n`)
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      const text = rest + chunk
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      if (!isOpen) {
        if (!text.startsWith('HTTP/1.1 200 ')) return void socket.destroy()
        isOpen = true
        this.opened += 1
        this.#tries = 0
        void this.#readList()
      }
      this.#read(text.slice(0, end))
    })
    socket.on('error', () => undefined)
    socket.on('close', () => {
      setTimeout(() => this.#connect(), WAITS[Math.min(this.#tries, WAITS.length - 1)])
      this.#tries += 1
    })
  }

  #read(text: string): void {
    const at = monotonicNow()
    bundles += text.split('event: prices').length - 1
    for (const [, code = '', price] of text.matchAll(PRICE)) {
      this.#take(code, Number(price))
      received.push({ change: changeOf(Number(price)), at })
    }
  }

  /** What is read may be older than what has been pushed meanwhile. */
  #take(code: string, price: number): void {
    this.last.set(code, Math.max(price, this.last.get(code) ?? 0))
  }

  /** Null: there was no answer, or no list. */
  async askList(): Promise<string | null> {
    const pool = pools.get(this.#origin) ?? new Pool(this.#origin, { connections: LIST_CONNECTIONS })
    pools.set(this.#origin, pool)
    const headers = { cookie: this.#cookie }
    const reply = await pool.request({ method: 'GET', path: '/api/user/stock', headers }).catch(() => null)
    const text = (await reply?.body.text().catch(() => '')) ?? ''
    return reply?.statusCode === 200 && text.endsWith(']') ? text : null
  }

  async #readList(): Promise<void> {
    const expected = this.opened
    for (const wait of WAITS) {
      const text = await this.askList()
      if (text !== null) {
        const stocks: { code: string; price: number | null }[] = JSON.parse(text)
        for (const { code, price } of stocks) this.#take(code, price ?? 0)
        this.reread = Math.max(this.reread, expected)
        return
      }
      // As the web client's queries, which are tried again.
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

const browsers: Browser[] = []
const asking = { connections: 0 }
let lists = 0
let refused = 0

/** One of those who ask as fast as they are answered, for another user each time. */
async function askOn(place: readonly Browser[], connection: number): Promise<void> {
  for (let n = connection; connection < asking.connections; n += asking.connections) {
    if ((await place[n % place.length]?.askList()) === null) refused += 1
    else lists += 1
  }
}

function reportOf(order: BrowsersOrder): BrowsersReport {
  if (order.kind === 'open')
    for (const [n, cookie] of order.cookies.entries())
      browsers.push(new Browser(order.place, order.origins[n % order.origins.length] ?? '', cookie))
  const waits =
    order.kind === 'waits' ? received.map(({ change, at }) => at - (order.sentAt[change] ?? Number.NaN)) : []
  const place = browsers.filter((browser) => browser.place === order.place)
  if (order.kind === 'lists') {
    asking.connections = order.connections
    for (let connection = 0; connection < order.connections; connection += 1) void askOn(place, connection)
  }
  const prices = order.kind === 'state' ? Object.entries(order.prices) : []
  const sorted = waits.toSorted((a, b) => a - b)
  const report = {
    open: place.filter(({ opened }) => opened > 0).length,
    reopened: place.filter(({ opened }) => opened > 1).length,
    unread: place.filter(({ opened, reread }) => reread < opened).length,
    behind: place.filter(({ last }) => prices.some(([code, price]) => last.get(code) !== price)).length,
    bundles,
    p50: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    worst: sorted.at(-1) ?? Number.NaN,
    lists,
    refused,
  }
  if (order.kind !== 'state') [received, bundles] = [[], 0]
  return report
}

process.on('message', (order: BrowsersOrder) => process.send?.(reportOf(order)))
// Whoever started them is gone.
process.on('disconnect', () => process.exit(0))
