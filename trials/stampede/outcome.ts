import { setTimeout as delay } from 'node:timers/promises'
import { verifyAccount } from '@digger/storage'
import type { DiggerServer } from '@digger/server'
import type { BrokerControl } from '../crash/broker-control.ts'
import type { MarketAddress } from './market-process.ts'
import { agesOf, type Fall, ordersOf, waitsOf } from './measure.ts'
import { ladderFor, type Trader } from './people.ts'

/** What the server's health showed while the market fell. */
export interface HealthRecord {
  /** The most broker calls of one account that waited at one time. */
  readonly queuePeak: number
  readonly troubles: readonly string[]
}

/** Reads the server's health for so long. */
export async function recordHealth({ engine }: DiggerServer, ms: number): Promise<HealthRecord> {
  let queuePeak = 0
  const shown = new Set<string>()
  for (const end = Date.now() + ms; Date.now() < end; await delay(500)) {
    const { brokerQueuePeak, troubles } = engine.health.vitals()
    queuePeak = Math.max(queuePeak, brokerQueuePeak)
    for (const { code } of troubles) shown.add(code)
  }
  return { queuePeak, troubles: [...shown] }
}

export interface Outcome {
  /** How long each due order waited, ms. */
  readonly waited: readonly number[]
  /** How long each fill took from the broker's list to its booking, ms. */
  readonly ages: readonly number[]
  /** Due orders that were never sent, and books that differ from their journals. */
  readonly problems: readonly string[]
  readonly cashQueries: number
  readonly listsRead: number
  /** Orders by side and status, as text. */
  readonly orders: string
  /** The most orders of one account. */
  readonly maxOrders: number
}

/** Compares what every account did with what its ladders should have done on this path of prices. */
export async function measureOutcome(
  { engine, database: { db } }: DiggerServer,
  traders: readonly Trader[],
  broker: BrokerControl,
  { listings, listingMs }: MarketAddress,
  path: readonly Fall[],
): Promise<Outcome> {
  const problems: string[] = []
  const waited: number[] = []
  const ages: number[] = []
  for (const { userId, account } of traders) {
    const events = await broker.events(account)
    const waits = waitsOf(events, path, (code) => ladderFor(listings, code))
    waited.push(...waits.waited)
    problems.push(...waits.unmet.map((what) => `${userId}: due and never sent: ${what}`))
    ages.push(...(await agesOf(db, userId, events, listingMs)))
    problems.push(...(await verifyAccount(db, userId)).differences)
  }
  const { cashQuestions: cashQueries, listsRead } = engine.health.vitals()
  const { ended: orders, most: maxOrders } = await ordersOf(db)
  return { waited, ages, problems, cashQueries, listsRead, orders, maxOrders }
}
