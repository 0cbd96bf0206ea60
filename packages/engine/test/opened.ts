import type { Opened } from '../src/prices/prices.ts'

/** What the broker says of a stock whose base is 70,000. */
export const openedWith = (change: Partial<Opened> = {}): Opened => ({
  day: '20261120',
  band: { lower: 49_000, upper: 91_000 },
  base: 70_000,
  price: 70_000,
  halted: false,
  chart: null,
  ...change,
})
