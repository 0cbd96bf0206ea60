import type { Stock } from '@digger/contract'
import { z } from 'zod'

/** Waits between tries, ms, as the web client's (packages/web/src/live/stream.ts). */
const WAITS = [500, 1_000, 2_000, 5_000, 10_000]

const Prices = z.object({ prices: z.array(z.object({ code: z.string(), price: z.number() })) })

/** Opens the stream; null when it was refused. */
export type Opener = () => Promise<AsyncIterable<Buffer> | null>

/** A page that stays open: what the server pushes to it. */
export class LiveStream {
  /** Since when the stream is open, ms since the start; null: it is not. */
  openSince: number | null = null
  /** When a price of a stock last came, ms since the start, and which. */
  readonly prices = new Map<string, { readonly at: number; readonly price: number }>()
  /** Cards pushed since the stream was opened. */
  readonly cards = new Map<string, Stock>()
  readonly #open: Opener
  readonly #now: () => number

  constructor(open: Opener, now: () => number) {
    this.#open = open
    this.#now = now
  }

  /** Never ends: a page opens its stream anew, ever less often while it fails. */
  async follow(): Promise<void> {
    for (let tries = 0; ; tries++) {
      try {
        const body = await this.#open()
        if (body !== null) {
          tries = 0
          await this.#read(body)
        }
      } catch {
        // The line broke, or the server is gone.
      }
      this.openSince = null
      await new Promise((resolve) => setTimeout(resolve, WAITS[Math.min(tries, WAITS.length - 1)]))
    }
  }

  async #read(body: AsyncIterable<Buffer>): Promise<void> {
    this.openSince = this.#now()
    this.cards.clear()
    let text = ''
    for await (const chunk of body) {
      text += chunk.toString('utf8')
      const messages = text.split('\n\n')
      text = messages.pop() ?? ''
      for (const message of messages) this.#take(message)
    }
  }

  #take(message: string): void {
    const kind = /^event: ?(.*)$/m.exec(message)?.[1]
    const data = /^data: ?(.*)$/m.exec(message)?.[1]
    if (data === undefined) return
    if (kind === 'prices') {
      for (const { code, price } of Prices.parse(JSON.parse(data)).prices)
        this.prices.set(code, { at: this.#now(), price })
    }
    if (kind === 'stocks') {
      const { stocks }: { stocks: readonly Stock[] } = JSON.parse(data)
      for (const stock of stocks) this.cards.set(stock.code, stock)
    }
  }
}
