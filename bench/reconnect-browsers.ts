/** Browsers by the thousand, in a process of their own: each has a live stream, and reads its list when that opens anew. */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

type Task =
  | { readonly kind: 'open'; readonly port: string; readonly cookies: readonly string[] }
  /** All streams break at once; what the browsers knew counts no more. */
  | { readonly kind: 'cut' }
  /** All come back at once, and each reads its list. */
  | { readonly kind: 'back'; readonly port: string }
  /** Counts the prices, over all browsers, that are not these. */
  | { readonly kind: 'compare'; readonly prices: Readonly<Record<string, number>> }

/** The browsers as the server's process sees them. */
export class Browsers {
  readonly #child: ChildProcess = fork(fileURLToPath(import.meta.url), ['browsers'])
  readonly #failed = once(this.#child, 'exit').then(() => Promise.reject(new Error('the browsers failed')))

  constructor() {
    this.#failed.catch(() => undefined)
  }

  /** Resolves when the task is done, to the number of browsers or of prices. */
  async do(task: Task): Promise<number> {
    this.#child.send(task)
    const [done]: unknown[] = await Promise.race([once(this.#child, 'message'), this.#failed])
    return Number(done)
  }

  close = (): void => void this.#child.kill()
}

/** As the web client waits before it tries again, ms. */
const RETRY_MS = 500
/** What the page of all stocks reads. */
export const LIST = '/api/user/stock?withSavedGain=true&showOnlyWatch=true'

class Browser {
  readonly prices = new Map<string, number>()
  readonly #cookie: string
  #stream: Socket | null = null

  constructor(cookie: string) {
    this.#cookie = cookie
  }

  /** Opens the stream, and then reads the list if asked to; as often as it takes. */
  async connect(port: string, readsList: boolean): Promise<void> {
    for (;;) {
      try {
        await this.#openStream(port)
        if (readsList) await this.#readList(port)
        return
      } catch {
        this.#stream?.destroy()
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    }
  }

  cut(): void {
    this.#stream?.destroy()
    this.prices.clear()
  }

  #openStream(port: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const socket = this.#ask(port, '/api/user/events')
    this.#stream = socket
    let rest = ''
    socket.setEncoding('latin1').on('error', reject)
    socket.on('close', () => reject(new Error('closed')))
    socket.on('data', (chunk: string) => {
      const text = rest + chunk
      const end = text.lastIndexOf('\n') + 1
      rest = text.slice(end)
      this.#learn(text.slice(0, end))
      if (text.includes('retry:')) resolve()
    })
    return promise
  }

  /** As the page does: compressed, over another connection. */
  async #readList(port: string): Promise<void> {
    const socket = this.#ask(port, LIST, 'accept-encoding: gzip, br\r\n')
    let all = Buffer.alloc(0)
    for await (const chunk of socket) {
      all = Buffer.concat([all, Buffer.from(chunk)])
      const end = all.indexOf('\r\n\r\n')
      const head = all.toString('latin1', 0, Math.max(0, end))
      if (end < 0 || all.length < end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])) continue
      if (!head.startsWith('HTTP/1.1 200')) throw new Error(head)
      const body = all.subarray(end + 4)
      this.#learn((/content-encoding: br/i.test(head) ? brotliDecompressSync(body) : body).toString())
      return
    }
    throw new Error('the list broke off')
  }

  #ask(port: string, path: string, more = ''): Socket {
    const socket = connect(Number(port), '127.0.0.1').setNoDelay(true)
    socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${this.#cookie}\r\n${more}\r\n`)
    return socket
  }

  /** Prices only go up here, so that the higher one is the later one, whichever way it came. */
  #learn(text: string): void {
    for (const [, code = '', price] of text.matchAll(/"code":"(\w+)",[^{}]*?"price":(\d+)/g))
      this.prices.set(code, Math.max(Number(price), this.prices.get(code) ?? 0))
  }
}

/** So many are opened together where it is not the storm that is measured. */
const OPENED_TOGETHER = 200

const browsers: Browser[] = []

async function open(port: string, cookies: readonly string[]): Promise<void> {
  for (let from = 0; from < cookies.length; from += OPENED_TOGETHER) {
    const some = cookies.slice(from, from + OPENED_TOGETHER).map((cookie) => new Browser(cookie))
    browsers.push(...some)
    await Promise.all(some.map((browser) => browser.connect(port, false)))
  }
}

const othersThan = (wanted: Readonly<Record<string, number>>): number =>
  browsers.flatMap(({ prices }) => Object.entries(wanted).filter(([code, price]) => prices.get(code) !== price)).length

/** Tells how many browsers or prices it was. */
async function work(task: Task): Promise<void> {
  if (task.kind === 'open') await open(task.port, task.cookies)
  else if (task.kind === 'back') await Promise.all(browsers.map((browser) => browser.connect(task.port, true)))
  else if (task.kind === 'cut') for (const browser of browsers) browser.cut()
  process.send?.(task.kind === 'compare' ? othersThan(task.prices) : browsers.length)
}

if (process.argv[2] === 'browsers') process.on('message', (task: Task) => void work(task))
