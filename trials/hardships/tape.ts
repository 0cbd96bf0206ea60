import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Stage } from '../crash/stage.ts'
import { addressesOf } from './broker-proxy.ts'

export const QUIET_MARKET = fileURLToPath(new URL('quiet-market.ts', import.meta.url))

/** A price comes this often, ms: automatic buys want one of the last five seconds. */
const TRADE_INTERVAL_MS = 500

/** The trades of a quiet market: each stock goes on trading at the price it was set to. */
export class Tape {
  readonly #url: string
  readonly #prices = new Map<string, number>()
  #stopped = false
  readonly #running: Promise<void>

  constructor(stage: Stage) {
    this.#url = addressesOf(stage).url
    this.#running = this.#run()
  }

  async set(code: string, price: number): Promise<void> {
    this.#prices.set(code, price)
    await this.#trade(code, price)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      for (const [code, price] of this.#prices) await this.#trade(code, price)
      await delay(TRADE_INTERVAL_MS)
    }
  }

  /** A stock halted at the end of a run does not trade; that is no trouble of this tape. */
  async #trade(code: string, price: number): Promise<void> {
    await fetch(`${this.#url}/sim/price`, { method: 'POST', body: JSON.stringify({ code, price }) })
  }
}
