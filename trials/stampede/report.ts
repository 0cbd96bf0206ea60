import type { Traffic } from '@digger/kis-sim'
import { spread } from './measure.ts'
import type { HealthRecord, Outcome } from './outcome.ts'

/** The broker takes at most so many orders a second of one account. */
const MAX_ORDER_RATE = 10
/** No due order waits longer than this where the broker takes ten orders a second; where it takes three, none longer than it takes to send all. */
const MAX_WAIT_MS = 30_000
const MAX_BOOKING_MS = 5_000
/** The part of the broker's calls a second that may be used steadily: it counts in a distributed way, and refused 15 of 18. */
const STEADY_SHARE = 15 / 18

/**
 * Everybody's stocks fall alike, so all orders of a step are due together: the last of them waits for all before it, ms.
 */
export const stepMs = (stocks: number, rate: number): number => (stocks / Math.min(rate, MAX_ORDER_RATE)) * 1_000

/** One account's orders, sales that rest among them, at our own pace and beside the ledger's call a second, ms. */
const paceMs = (orders: number, rate: number): number =>
  (orders / (Math.min(rate * STEADY_SHARE, MAX_ORDER_RATE) - 1)) * 1_000

/** Says what is wrong with a run, one line each. */
export function problemsOf({ waited, ages, problems, cashQueries, maxOrders }: Outcome, rate: number): string[] {
  const bound = Math.max(MAX_WAIT_MS, paceMs(maxOrders, rate))
  const late = waited.filter((ms) => ms > bound).length
  const old = ages.filter((ms) => ms > MAX_BOOKING_MS).length
  return [
    ...problems,
    ...(waited.length === 0 || ages.length === 0 || cashQueries === 0 ? ['nothing was due: this proves nothing'] : []),
    ...(late > 0 ? [`${late} orders waited longer than ${bound / 1_000} s`] : []),
    ...(old > 0 ? [`${old} fills were booked after more than ${MAX_BOOKING_MS / 1_000} s`] : []),
  ]
}

export interface Run {
  readonly stocks: number
  /** The broker's calls a second. */
  readonly rate: number
  /** Until a new order shows in the broker's lists, ms. */
  readonly listingMs: number
  readonly health: HealthRecord
  readonly traffic: Traffic
  readonly logged: ReadonlyMap<string, number>
}

export function reportLines(
  { waited, ages, cashQueries, listsRead, orders, maxOrders }: Outcome,
  { stocks, rate, listingMs, health, traffic, logged }: Run,
): string[] {
  const oneStep = (stepMs(stocks, rate) / 1_000).toFixed(1)
  const ourPace = (paceMs(maxOrders, rate) / 1_000).toFixed(0)
  return [
    `due orders      ${waited.length}, waited ${spread(waited)} (median / p99 / longest); one step alone takes ${oneStep} s to send`,
    `orders          ${orders}; one account ${maxOrders}, for which our pace needs ${ourPace} s`,
    `fills           ${ages.length}, booked ${spread(ages)} after the broker's list showed them (${listingMs / 1_000} s after the order)`,
    `broker          queue of one account at most ${health.queuePeak}, cash queries ${cashQueries}, lists read ${listsRead}`,
    `gateway         ${traffic.admitted} calls let in, ${traffic.tooMany} refused for calls a second, ${traffic.ledgerBusy} for the ledger's`,
    `troubles shown  ${health.troubles.join(', ') || 'none'}`,
    ...[...logged].map(([message, count]) => `log             ${count} × ${message}`),
  ]
}
