import type { Limits, Prices } from '../src/prices.ts'

type Opened = Limits & { readonly price: number; readonly halted: boolean }

const DAY: Opened = {
  day: '20261123',
  band: { lower: 49_000, upper: 91_000 },
  base: 70_000,
  price: 70_000,
  halted: false,
  chart: null,
}

/** A stock whose limits and price were read, with what the test says about it. */
export function opened(prices: Prices, code: string, change: Partial<Opened>): void {
  const { price, halted, ...limits } = { ...DAY, ...change }
  prices.limitsRead(code, limits)
  prices.wasRead(code, price, halted)
}
