import type { Issue, Market, Side } from '@digger/core'
import type { Decisions } from '../runtime/decisions.ts'

/** What nobody outside knows for sure of how the broker counts costs. */
export interface CostAssumptions {
  /**
   * Where a sale carries two taxes (KOSPI: transaction tax and rural tax; an ETF's income: income tax and local tax), each is
   * cut to a whole won, or their sum. The broker is said to cut each, which no statement seen here proves; `together` is the
   * default as long as clients count so, since a won of difference hides every other one.
   */
  readonly taxTruncation: 'each' | 'together'
  /**
   * Whether the broker withholds the income tax of ETFs that owe it: 15.4 % of what was earned. The law says so; `none` is
   * the default as long as clients do not count it.
   */
  readonly etfIncomeTax: 'withheld' | 'none'
}

type Assumed = Pick<Decisions<CostAssumptions>, 'decide'>

/** An issue, and whether what it earns is income: ETFs of foreign shares, bonds, commodities, leveraged and inverse ones. */
export interface TaxedIssue extends Issue {
  readonly incomeTaxed?: boolean
}

interface Deal {
  readonly side: Side
  /** Won: price × count. */
  readonly amount: number
  /** Won paid for the shares sold. */
  readonly soldCost: number
  readonly issue: TaxedIssue
  /** KST day of the order. */
  readonly day: string
  /** The account's own rate as a share of the deal; null: the usual one. */
  readonly brokerage: number | null
}

/** Rates per 100,000 won. */
const BASE = 100_000
const USUAL_BROKERAGE = 15
/** Income tax, and a tenth of it for the municipality: 15.4 % together. */
const INCOME_TAXES: readonly number[] = [14_000, 1_400]

/**
 * Taxes on the amount of a sale, newest first, by the day of its trade: the transaction tax and, on KOSPI, the rural special tax beside
 * it (press). What settles in a new year, two bank days later, pays by the new year's law.
 */
const SELL_TAXES: readonly { readonly since: string; readonly rates: Record<Market, readonly number[]> }[] = [
  { since: '20251229', rates: { KOSPI: [50, 150], KOSDAQ: [200], KONEX: [100] } },
  { since: '20241227', rates: { KOSPI: [0, 150], KOSDAQ: [150], KONEX: [100] } },
  { since: '20231227', rates: { KOSPI: [30, 150], KOSDAQ: [180], KONEX: [100] } },
  { since: '20221228', rates: { KOSPI: [50, 150], KOSDAQ: [200], KONEX: [100] } },
  { since: '20201229', rates: { KOSPI: [80, 150], KOSDAQ: [230], KONEX: [100] } },
  { since: '20190530', rates: { KOSPI: [100, 150], KOSDAQ: [250], KONEX: [100] } },
  { since: '00000000', rates: { KOSPI: [150, 150], KOSDAQ: [300], KONEX: [300] } },
]

/** Brokerage and taxes of an order so far, in whole won. */
export function costsOf(deal: Deal, assumed: Assumed): { readonly fee: number; readonly tax: number } {
  const { amount, brokerage } = deal
  const fee = brokerage === null ? Math.floor((amount * USUAL_BROKERAGE) / BASE) : Math.floor(amount * brokerage)
  return { fee, tax: taxOf(deal, assumed) }
}

function taxOf({ side, amount, soldCost, issue, day }: Deal, assumed: Assumed): number {
  if (side === 'buy') return 0
  if (issue.kind !== 'etf') {
    return truncated(amount, SELL_TAXES.find(({ since }) => since <= day)?.rates[issue.market] ?? [], assumed)
  }
  if (issue.incomeTaxed !== true || amount <= soldCost || assumed.decide('etfIncomeTax') === 'none') return 0
  return incomeTax(amount - soldCost, assumed)
}

/** Of what was earned; a loss is not given back. */
export const incomeTax = (won: number, assumed: Assumed): number => truncated(Math.max(0, won), INCOME_TAXES, assumed)

const sum = (parts: readonly number[]): number => parts.reduce((total, one) => total + one, 0)

function truncated(won: number, rates: readonly number[], assumed: Assumed): number {
  const part = (rate: number): number => Math.floor((won * rate) / BASE)
  const [each, together] = [sum(rates.map(part)), part(sum(rates))]
  return each !== together && assumed.decide('taxTruncation') === 'each' ? each : together
}
