import { setTimeout as delay } from 'node:timers/promises'
import type { Stock } from '@digger/contract'
import { MEASURED_LATENCY, type Fact } from '@digger/kis-sim'
import type { Db } from '@digger/database'
import { findUserByEmail } from '@digger/identity'
import { bookedLate } from '../agreement/booked-late.ts'
import type { BrokerHands } from './broker.ts'
import type { Person } from './person.ts'

/** After the last fault every account whose key is open may trade again within this, ms. */
const ARM_MS = 60_000
/** From a price at the next buy to the order at the broker, ms. */
const BUY_MS = 30_000
/** From a fill that the broker's list shows to its booking, ms: the list is read a second after the last reading, and takes its turn. */
const BOOK_MS = 5_000 + 1_000
/** A busy machine answers everything late: a booking takes about so many answers as long as the slowest of /health. */
const ANSWERS = 4
/** Events that may wait in the mailboxes of two people with four stocks each for longer than `QUEUE_MS`. */
const QUEUE_MOST = 50
const QUEUE_MS = 10_000
const LOOK_MS = 500

/** What a server showed of life after the last fault. */
export interface Life {
  readonly problems: readonly string[]
  /** Fills between these instants have to be booked in time, epoch ms. */
  readonly from: number
  readonly to: number
  /** Added to every bound, ms: four times the slowest answer of /health meanwhile. */
  readonly slackMs: number
  /** Prices that were brought to a next buy or a sell target, and how long the answers took, ms. */
  readonly dueMs: readonly number[]
  readonly queuePeak: number
}

/** The server's own word, asked all the time: how slow the machine is, and what waits. */
class Pulse {
  slowestMs = 0
  queuePeak = 0
  armed = 0
  readonly problems: string[] = []
  #over = false
  #highSince: number | null = null
  readonly #done: Promise<void>

  constructor(person: Person) {
    this.#done = this.#watch(person)
  }

  async stop(): Promise<void> {
    this.#over = true
    await this.#done
  }

  async #watch(person: Person): Promise<void> {
    while (!this.#over) {
      const asked = performance.now()
      const health = await person.client.health()
      this.slowestMs = Math.max(this.slowestMs, performance.now() - asked)
      this.armed = health?.armed ?? 0
      this.#queue((health?.mailbox ?? 0) + (health?.brokerQueue ?? 0), health?.brokerQueuePeak ?? 0)
      await delay(LOOK_MS)
    }
  }

  #queue(now: number, peak: number): void {
    this.queuePeak = Math.max(this.queuePeak, now, peak)
    if (now <= QUEUE_MOST) this.#highSince = null
    else this.#highSince ??= performance.now()
    if (this.#highSince === null || performance.now() - this.#highSince < QUEUE_MS) return
    this.problems.push(`${now} events wait, for ${QUEUE_MS / 1_000} s more than ${QUEUE_MOST}`)
    this.#highSince = null
  }
}

/** Safe is not enough: after the faults a due buy must be placed, a reached target sold, and both booked. */
export async function showLife(broker: BrokerHands, people: readonly Person[]): Promise<Life> {
  const [first] = people
  if (first === undefined) throw new Error('nobody to show life')
  const pulse = new Pulse(first)
  const problems: string[] = []
  const dueMs: number[] = []
  const since = performance.now()
  while (pulse.armed < people.length && performance.now() - since < ARM_MS) await delay(LOOK_MS)
  if (pulse.armed < people.length)
    problems.push(`${pulse.armed} of ${people.length} accounts armed ${ARM_MS / 1_000} s after the last fault`)
  const unnamed = await unnamedOrders(first, people)
  if (unnamed > 0) problems.push(`${unnamed} orders without a verdict are named on no card`)
  const from = Date.now()
  for (const person of people) {
    for (const side of ['buy', 'sell'] as const) {
      const took = await bringAbout(broker, person, side, () => BUY_MS + ANSWERS * pulse.slowestMs)
      if (typeof took === 'number') dueMs.push(took)
      else problems.push(`${person.email}: ${took}`)
    }
  }
  // The last of these fills has its time too before anything is counted.
  await delay(BOOK_MS + MEASURED_LATENCY.listing[1])
  await pulse.stop()
  const { slowestMs, queuePeak } = pulse
  problems.push(...pulse.problems)
  return { problems, from, to: Date.now(), slackMs: ANSWERS * slowestMs, dueMs, queuePeak }
}

/** An order without a verdict, told on the card: it may have to wait for the kernel of a lost process, and its stock with it. */
export const isUnknown = ({ code }: { code: string }): boolean => code === 'orderUnknown'

/** Orders without a verdict that no card tells of, at two looks: between them one may have been given up. */
async function unnamedOrders(first: Person, people: readonly Person[]): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let look = 0; look < 2 && least > 0; look += 1) {
    if (look > 0) await delay(LOOK_MS)
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
async function bringAbout(
  broker: BrokerHands,
  person: Person,
  side: 'buy' | 'sell',
  patience: () => number,
): Promise<number | string> {
  const since = Date.now()
  const before = performance.now()
  let told = 'no stock that could'
  while (performance.now() - before < patience()) {
    const card = await candidate(person, side)
    const price = (side === 'buy' ? card?.nextBuyPrice : card?.nextSellPrice) ?? null
    if (card !== null && price !== null) {
      told = `${card.code} at ${price}: ${card.reasons.map(({ text }) => text).join(' ')}`
      // A target beyond the day's limits is not due; another stock may be, at the next look.
      await broker.setPrice(card.code, price).catch((error: unknown) => (told = String(error)))
    }
    await delay(LOOK_MS)
    const events = await broker.events(person.credentials.accountNumber)
    if (events.some((event) => isAnswer(event, side, since))) return performance.now() - before
  }
  return `a due ${side} was not ${side === 'buy' ? 'placed' : 'filled'} within ${Math.round(patience() / 1_000)} s (${told})`
}

const isAnswer = (event: Fact, side: 'buy' | 'sell', since: number): boolean =>
  side === 'buy'
    ? event.kind === 'accepted' && event.order.change === null && event.order.side === 'buy' && event.at >= since
    : event.kind === 'filled' && event.side === 'sell' && event.at >= since

/** The stock with the most room to buy, or the most to sell, that nothing lasting holds back. */
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

/** Fills of the broker in the time that was watched which the book has too late, or not at all, one line each. */
export async function lateFills(db: Db, person: Person, events: readonly Fact[], life: Life): Promise<string[]> {
  const user = await findUserByEmail(db, person.email)
  if (!user) return []
  const most = BOOK_MS + life.slackMs
  const [, listingMs] = MEASURED_LATENCY.listing
  const seen = { from: life.from, to: life.to - BOOK_MS - listingMs, listingMs }
  return (await bookedLate(db, user.id, events, most, seen)).map((text) => `${person.email}: ${text}`)
}
