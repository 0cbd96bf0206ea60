import type { Market } from '@digger/core'

/** Taxes on the amount of a sale, per 100,000 won, by what is cut to a whole won: the transaction tax, and on KOSPI the rural tax. */
const RATES: readonly { readonly since: string; readonly rates: Readonly<Record<Market, readonly number[]>> }[] = [
  { since: '20260101', rates: { KOSPI: [50, 150], KOSDAQ: [200], KONEX: [100] } },
  { since: '20250101', rates: { KOSPI: [0, 150], KOSDAQ: [150], KONEX: [100] } },
  { since: '00000000', rates: { KOSPI: [30, 150], KOSDAQ: [180], KONEX: [100] } },
]

const BASE = 100_000

const part = (amount: number, rate: number): number => Math.floor((amount * rate) / BASE)

/** Of the orders of one stock on one day (kis-protocol 7.7, 12 #18): both taxes cut together, and each by itself. Typed here anew. */
export function taxesOf(amounts: readonly number[], market: Market, day: string) {
  const rates = RATES.find(({ since }) => since <= day)?.rates[market] ?? []
  const total = rates.reduce((sum, rate) => sum + rate, 0)
  return {
    together: amounts.reduce((sum, amount) => sum + part(amount, total), 0),
    each: amounts.reduce((sum, amount) => sum + rates.reduce((all, rate) => all + part(amount, rate), 0), 0),
  }
}
