import { ASK_AHEAD_PERCENT, type Book } from '@digger/core'
import type { AllPrices } from './all-prices.ts'
import type { PriceWaiter } from './prices.ts'

/** Keeps the prices at which one account wants to be woken in step with its book: a little above each next buy. */
export class BuyTriggers {
  readonly #prices: AllPrices
  readonly #waiter: PriceWaiter
  readonly #set = new Map<string, number>()

  constructor(prices: AllPrices, waiter: PriceWaiter) {
    this.#prices = prices
    this.#waiter = waiter
  }

  follow(book: Book): void {
    for (const code of this.#set.keys()) if (!book.stocks.has(code)) this.#change(code, null)
    for (const [code, { nextBuyPrice }] of book.stocks) {
      this.#change(code, nextBuyPrice === null ? null : Math.floor(nextBuyPrice * (1 + ASK_AHEAD_PERCENT / 100)))
    }
  }

  #change(code: string, wakePrice: number | null): void {
    if ((this.#set.get(code) ?? null) === wakePrice) return
    if (wakePrice === null) this.#set.delete(code)
    else this.#set.set(code, wakePrice)
    this.#prices.setTrigger(this.#waiter, code, wakePrice)
  }
}
