import type { IssueKind, Market, Side } from './types.ts'

/** Rates per 100,000 won. */
const BASE = 100_000
/** 0.015 % each way, the usual rate of online accounts; the account's own rate is in the broker's period profit. */
const BROKERAGE = 15

/**
 * Securities transaction tax, with the rural special tax of 150 that KOSPI alone carries. Sells only, by the day of the trade, newest
 * first. A rate begins with the trades that settle on its first day (the tax is on the transfer): for 1 January those of the last two
 * trading days before. 2019, 2020 and 2024 by what the exchange and brokers announced, the others by the same rule; from 1996 to 2019
 * it was 0.30 %.
 */
const SELL_TAX: readonly { readonly since: string; readonly rate: Record<Market, number> }[] = [
  { since: '20251229', rate: { KOSPI: 50 + 150, KOSDAQ: 200, KONEX: 100 } },
  { since: '20241227', rate: { KOSPI: 0 + 150, KOSDAQ: 150, KONEX: 100 } },
  { since: '20231227', rate: { KOSPI: 30 + 150, KOSDAQ: 180, KONEX: 100 } },
  { since: '20221228', rate: { KOSPI: 50 + 150, KOSDAQ: 200, KONEX: 100 } },
  { since: '20201229', rate: { KOSPI: 80 + 150, KOSDAQ: 230, KONEX: 100 } },
  { since: '20190530', rate: { KOSPI: 100 + 150, KOSDAQ: 250, KONEX: 100 } },
  { since: '00000000', rate: { KOSPI: 150 + 150, KOSDAQ: 300, KONEX: 300 } },
]

export interface Deal {
  readonly side: Side
  /** Won: price × count. */
  readonly amount: number
  readonly market: Market
  readonly kind: IssueKind
  /** KST `YYYYMMDD` of the execution. */
  readonly day: string
}

/**
 * Brokerage and tax of one deal in won, each cut to a whole won as the broker does per order. Without income tax: on the gain of
 * an ETF that holds anything but Korean shares the broker keeps 15.4 % (dividend income by law). Which ETFs those are its
 * `search-stock-info` says in `etf_txtn_type_cd`, whose values no public document lists; so screens say that it is not in here.
 */
export function costs(deal: Deal): { readonly fee: number; readonly tax: number } {
  const { side, amount } = deal
  return { fee: brokerage(amount), tax: side === 'buy' ? 0 : taxOf(amount, sellTaxRate(deal)) }
}

/** The tax on sales of a day, won per 100,000 won. */
export const sellTaxRate = ({ kind, market, day }: Pick<Deal, 'kind' | 'market' | 'day'>): number =>
  kind === 'etf' ? 0 : (SELL_TAX.find((row) => row.since <= day)?.rate[market] ?? 0)

/** Brokerage of one deal, whichever its side, won. */
export const brokerage = (amount: number): number => part(amount, BROKERAGE)

/** The tax of one sale at a rate of `sellTaxRate`, won. */
export const taxOf = (amount: number, rate: number): number => part(amount, rate)

const part = (amount: number, rate: number): number => Math.floor((amount * rate) / BASE)

export interface RoundTrip {
  readonly market: Market
  readonly kind: IssueKind
  readonly buyAmount: number
  readonly buyDay: string
  readonly sellAmount: number
  readonly sellDay: string
}

/** What is left of a sale in won after both brokerages and the tax. */
export function netGain({ market, kind, buyAmount, buyDay, sellAmount, sellDay }: RoundTrip): number {
  const buy = costs({ side: 'buy', amount: buyAmount, market, kind, day: buyDay })
  const sell = costs({ side: 'sell', amount: sellAmount, market, kind, day: sellDay })
  return sellAmount - buyAmount - buy.fee - sell.fee - sell.tax
}
