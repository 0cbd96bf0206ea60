import { setTimeout as delay } from 'node:timers/promises'
import type { Stock } from '@digger/contract'
import { missingShares, standstillOf } from '../agreement/resting.ts'
import type { BrokerControl } from './broker-control.ts'
import type { Person } from './person.ts'

/** Orders leave ten a second at least; each lot has one. */
const PER_LOT_MS = 100
const LOOK_MS = 1_000

/**
 * What stopped in silence, one line each. Refusals by themselves, and prices of before, are no cause that anybody here must settle: the broker
 * refuses for the moment only, and no share becomes another one. Orders and shares that nobody knows are.
 */
export async function stoppedForNothing(people: readonly Person[]): Promise<string[]> {
  const [first] = people
  const { rejects = 0, frozen = 0 } = (await first?.client.stoppedStocks()) ?? {}
  if (rejects + frozen === 0) return []
  const cards = await cardsOf(people)
  // A stop of a person's own is no stop of Digger's.
  const stopped = cards.flatMap(({ card }) => standstillOf({ ...card, stop: 'active' }) ?? [])
  return [`${rejects} stocks stopped by refusals, ${frozen} frozen: ${stopped.join('; ')}`]
}

/** Waits until what should rest was seen to rest, of each stock once: with prices that move something is always on its way. */
export async function missingAfter(
  broker: BrokerControl,
  people: readonly Person[],
  timeoutMs: number,
): Promise<string[]> {
  const since = performance.now()
  let missing = new Map((await cardsOf(people)).map(({ key }) => [key, 'was not looked at']))
  let lots = 0
  for (;;) {
    const looks = await Promise.all(people.map((person) => lookAt(broker, person, missing)))
    lots = Math.max(
      lots,
      looks.reduce((sum, look) => sum + look.lots, 0),
    )
    missing = new Map(looks.flatMap((look) => look.missing))
    if (missing.size === 0) return []
    if (performance.now() - since > timeoutMs + lots * PER_LOT_MS) break
    await delay(LOOK_MS)
  }
  const seconds = Math.round((performance.now() - since) / 1_000)
  return [...missing].map(([key, what]) => `${key}: no order rests for ${what}, ${seconds} s after the last trouble`)
}

/** Of the stocks that were not well at the look before, those that are still not. */
async function lookAt(broker: BrokerControl, person: Person, before: ReadonlyMap<string, string>) {
  const limits = await broker.limits()
  const missing: [string, string][] = []
  let lots = 0
  for (const { key, card } of await cardsOf([person])) {
    if (!before.has(key)) continue
    const trades = await person.client.trades(card.code)
    const due = trades.flatMap(({ buyCount: count, targetPrice: target, buying, takenOver }) =>
      target === null || buying || takenOver ? [] : { count, target },
    )
    lots += due.length
    const band = limits[card.code]
    const orders = await broker.liveOrders(person.credentials.accountNumber)
    const resting = orders.filter(({ change }) => change === null)
    const found = band === undefined ? null : missingShares(card, due, band, resting)
    if (found !== null) missing.push([key, `${found.missing} of ${found.due} shares (${reasonsOf(card)})`])
  }
  return { missing, lots }
}

async function cardsOf(people: readonly Person[]): Promise<{ key: string; card: Stock }[]> {
  const cards = people.flatMap((person) =>
    person.codes.map(async (code) => ({ key: `${person.email} ${code}`, card: await person.client.stock(code) })),
  )
  return Promise.all(cards)
}

const reasonsOf = ({ reasons }: Stock): string => reasons.map(({ text }) => text).join(' ')
