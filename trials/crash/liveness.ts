import { setTimeout as delay } from 'node:timers/promises'
import type { Stock } from '@digger/contract'
import { MEASURED_LATENCY, type Fact } from '@digger/kis-sim'
import type { Db } from '@digger/database'
import { findUserByEmail } from '@digger/identity'
import { bookedLate } from '../agreement/booked-late.ts'
import type { BrokerControl } from './broker-control.ts'
import type { Person } from './person.ts'
import { missingAfter, stoppedForNothing } from './standing-still.ts'

/** After the last fault every account whose key is open may trade again within this, ms. */
const ARM_TIMEOUT_MS = 60_000
/** From a price at the next buy to the order at the broker, ms. */
const BUY_TIMEOUT_MS = 30_000
/** From a fill that the broker's list shows to its booking, ms: the list is read a second after the last reading, and takes its turn. */
const BOOK_TIMEOUT_MS = 5_000 + 1_000
/** A busy machine answers everything late: a booking takes about this many times the slowest answer of /health. */
const SLOW_ANSWER_FACTOR = 4
/** At most so many events may wait for longer than `QUEUE_TIMEOUT_MS`: two people have four stocks each. */
const MAX_QUEUE = 50
const QUEUE_TIMEOUT_MS = 10_000
const POLL_INTERVAL_MS = 500
/**
 * After the last trouble everything that should rest does, ms: a process that died may still send for two minutes, and its stock waits
 * so long; a stock that was refused for the moment waits a minute at first, two when it goes on.
 */
const REST_TIMEOUT_MS = 240_000

/** How a server traded after the last fault. */
export interface Liveness {
  readonly problems: readonly string[]
  /** Fills between these instants have to be booked in time, epoch ms. */
  readonly from: number
  readonly to: number
  /** Added to every bound, ms: four times the slowest answer of /health meanwhile. */
  readonly slackMs: number
  /** From each price that was brought to a next buy or a sell target to the trade, ms. */
  readonly dueMs: readonly number[]
  readonly queuePeak: number
}

/** Reads the server's health all the time: how slow the machine is, and what waits. */
class HealthMonitor {
  slowestMs = 0
  queuePeak = 0
  armed = 0
  readonly problems: string[] = []
  #stopped = false
  #queueHighSince: number | null = null
  readonly #done: Promise<void>

  constructor(person: Person) {
    this.#done = this.#watch(person)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#done
  }

  async #watch(person: Person): Promise<void> {
    while (!this.#stopped) {
      const asked = performance.now()
      const health = await person.client.health()
      this.slowestMs = Math.max(this.slowestMs, performance.now() - asked)
      this.armed = health?.armed ?? 0
      this.#checkQueue((health?.mailbox ?? 0) + (health?.brokerQueue ?? 0), health?.brokerQueuePeak ?? 0)
      await delay(POLL_INTERVAL_MS)
    }
  }

  #checkQueue(now: number, peak: number): void {
    this.queuePeak = Math.max(this.queuePeak, now, peak)
    if (now <= MAX_QUEUE) this.#queueHighSince = null
    else this.#queueHighSince ??= performance.now()
    if (this.#queueHighSince === null || performance.now() - this.#queueHighSince < QUEUE_TIMEOUT_MS) return
    this.problems.push(`${now} events wait, for ${QUEUE_TIMEOUT_MS / 1_000} s more than ${MAX_QUEUE}`)
    this.#queueHighSince = null
  }
}

/** Safe is not enough: after the faults a due buy must be placed, a reached target sold, and both booked. */
export async function checkLiveness(broker: BrokerControl, people: readonly Person[]): Promise<Liveness> {
  const [first] = people
  if (first === undefined) throw new Error('there is nobody who trades')
  const monitor = new HealthMonitor(first)
  const problems: string[] = []
  const dueMs: number[] = []
  const since = performance.now()
  while (monitor.armed < people.length && performance.now() - since < ARM_TIMEOUT_MS) await delay(POLL_INTERVAL_MS)
  if (monitor.armed < people.length)
    problems.push(
      `${monitor.armed} of ${people.length} accounts armed ${ARM_TIMEOUT_MS / 1_000} s after the last fault`,
    )
  const unnamed = await unnamedOrders(first, people)
  if (unnamed > 0) problems.push(`${unnamed} orders without a verdict are named on no card`)
  problems.push(...(await missingAfter(broker, people, REST_TIMEOUT_MS)))
  const from = Date.now()
  for (const person of people) {
    for (const side of ['buy', 'sell'] as const) {
      const took = await triggerTrade(
        broker,
        person,
        side,
        () => BUY_TIMEOUT_MS + SLOW_ANSWER_FACTOR * monitor.slowestMs,
      )
      if (typeof took === 'number') dueMs.push(took)
      else problems.push(`${person.email}: ${took}`)
    }
  }
  problems.push(...(await stoppedForNothing(people)))
  // The last of these fills has its time too before anything is counted.
  await delay(BOOK_TIMEOUT_MS + MEASURED_LATENCY.listing[1])
  await monitor.stop()
  const { slowestMs, queuePeak } = monitor
  problems.push(...monitor.problems)
  return { problems, from, to: Date.now(), slackMs: SLOW_ANSWER_FACTOR * slowestMs, dueMs, queuePeak }
}

/** The card names an order without a verdict: it may have to wait for the kernel of a lost process, and its stock with it. */
export const isUnknown = ({ code }: { code: string }): boolean => code === 'orderUnknown'

/** Counts orders without a verdict that no card names, at two looks: between them one may have been given up. */
async function unnamedOrders(first: Person, people: readonly Person[]): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < 2 && least > 0; look += 1) {
    if (look > 0) await delay(POLL_INTERVAL_MS)
    const unknown = await first.client.unknownOrders()
    const cards = await Promise.all(people.flatMap((person) => person.codes.map((code) => person.client.stock(code))))
    const named = cards.flatMap(({ reasons }) => reasons).filter(isUnknown).length
    least = Math.min(least, unknown - named)
  }
  return least
}

/**
 * Brings the price of one stock to its next buy, or its lowest target, until the broker has taken the buy, or filled the
 * sale. Returns how long that took, ms, or what is wrong.
 */
async function triggerTrade(
  broker: BrokerControl,
  person: Person,
  side: 'buy' | 'sell',
  timeoutMs: () => number,
): Promise<number | string> {
  const since = Date.now()
  const before = performance.now()
  let lastTried = 'no stock that could'
  while (performance.now() - before < timeoutMs()) {
    const card = await candidate(person, side)
    const price = (side === 'buy' ? card?.nextBuyPrice : card?.nextSellPrice) ?? null
    if (card !== null && price !== null) {
      lastTried = `${card.code} at ${price}: ${card.reasons.map(({ text }) => text).join(' ')}`
      // A target beyond the day's limits is not due; another stock may be, at the next look.
      await broker.setPrice(card.code, price).catch((error: unknown) => (lastTried = String(error)))
    }
    await delay(POLL_INTERVAL_MS)
    const events = await broker.events(person.credentials.accountNumber)
    if (events.some((event) => isTrade(event, side, since))) return performance.now() - before
  }
  return `a due ${side} was not ${side === 'buy' ? 'placed' : 'filled'} within ${Math.round(timeoutMs() / 1_000)} s (${lastTried})`
}

const isTrade = (event: Fact, side: 'buy' | 'sell', since: number): boolean =>
  side === 'buy'
    ? event.kind === 'accepted' && event.order.change === null && event.order.side === 'buy' && event.at >= since
    : event.kind === 'filled' && event.side === 'sell' && event.at >= since

/** Finds the stock with the most room to buy, or the most to sell, that nothing lasting holds back. */
async function candidate(person: Person, side: 'buy' | 'sell'): Promise<Stock | null> {
  const cards = await Promise.all(person.codes.map((code) => person.client.stock(code).catch(() => null)))
  const able = cards
    .filter((card) => card !== null)
    .filter((card) => card.stop === 'active' && card.blocked === null && !card.reasons.some(isUnknown))
    .filter((card) =>
      side === 'buy' ? card.autoBuy && card.nextBuyPrice !== null : card.autoSell && card.remainCount > 0,
    )
    .toSorted((a, b) => a.remainAmount - b.remainAmount)
  return (side === 'buy' ? able[0] : able.at(-1)) ?? null
}

/** Finds fills during the liveness check that the book has too late, or not at all, one line each. */
export async function lateFills(db: Db, person: Person, events: readonly Fact[], life: Liveness): Promise<string[]> {
  const user = await findUserByEmail(db, person.email)
  if (!user) return []
  const most = BOOK_TIMEOUT_MS + life.slackMs
  const [, listingMs] = MEASURED_LATENCY.listing
  const seen = { from: life.from, to: life.to - BOOK_TIMEOUT_MS - listingMs, listingMs }
  return (await bookedLate(db, user.id, events, most, seen)).map((text) => `${person.email}: ${text}`)
}
