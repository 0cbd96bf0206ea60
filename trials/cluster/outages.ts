import { setTimeout as delay } from 'node:timers/promises'
import { demoCredentials } from '@digger/kis-sim'
import type { Cluster } from './cluster.ts'

const BUS_DOWN_MS = 60_000
const DATABASE_DOWN_MS = 30_000
/** All ladders are due together: the broker lets one account order ten times a second, and lists its orders late. */
const DUE_MS = 15_000
/** A lease that was renewed just before counts so long: what was committed by then may still leave. */
const LEASE_MS = 4_000
const MAX_RESUMED_MS = 10_000
const FAR_BELOW = -0.025
const FAR_ABOVE = 0.03

interface Trigger {
  readonly share: number
  readonly side: 'buy' | 'sell'
}

/** What is due is due for every stock of every account. */
const TRIGGERS: readonly Trigger[] = [
  { share: FAR_BELOW, side: 'buy' },
  { share: FAR_ABOVE, side: 'sell' },
]

/** The bus is gone for a minute: prices that ask for orders get them all. Returns the problems. */
export async function withoutBus(cluster: Cluster, print: (line: string) => void): Promise<string[]> {
  const problems: string[] = []
  // Nothing is held then: the next fall makes a first buy due everywhere.
  cluster.prices({ kind: 'at', share: FAR_ABOVE })
  await delay(DUE_MS)
  await cluster.killBus()
  const began = performance.now()
  let due = 0
  while (performance.now() - began < BUS_DOWN_MS) {
    for (const trigger of TRIGGERS) {
      const missed = await pull(cluster, trigger)
      due += cluster.size.accounts * cluster.size.stocks
      problems.push(...missed.map((what) => `without the bus no ${trigger.side} of ${what} in ${DUE_MS / 1_000} s`))
    }
  }
  cluster.startBus()
  print(`the bus down for ${seconds(performance.now() - began)}: ${due} triggers, ${problems.length} missed`)
  return problems
}

/** Moves all prices and returns the stocks of accounts in which nothing was ordered, or sold, because of it. */
async function pull(cluster: Cluster, { share, side }: Trigger): Promise<string[]> {
  const from = Date.now()
  cluster.prices({ kind: 'at', share })
  let missed: string[] = []
  do {
    await delay(500)
    missed = []
    for (let n = 0; n < cluster.size.accounts; n += 1) {
      const codes = await tradedSince(cluster, n, side, from)
      missed.push(...cluster.codes.filter((code) => !codes.has(code)).map((code) => `${code} of account ${n}`))
    }
  } while (missed.length > 0 && Date.now() - from < DUE_MS)
  return missed
}

async function tradedSince({ broker }: Cluster, account: number, side: Trigger['side'], from: number) {
  const events = await broker.events(demoCredentials(account).accountNumber)
  return new Set(
    events.flatMap((event) => (event.kind === 'filled' && event.side === side && event.at >= from ? [event.code] : [])),
  )
}

/** The database is gone for half a minute: nothing is sent, and then everything goes on. */
export async function withoutDatabase(
  cluster: Cluster,
  print: (line: string) => void,
): Promise<{ readonly problems: string[]; readonly resumedMs: number }> {
  cluster.prices({ kind: 'swing' })
  await delay(DUE_MS)
  await cluster.primary.kill()
  const killed = Date.now()
  await delay(DATABASE_DOWN_MS)
  const taken = (await ordersTaken(cluster)).filter((at) => at > killed)
  const late = taken.filter((at) => at > killed + LEASE_MS)
  await cluster.primary.start()
  const back = Date.now()
  await delay(2_000)
  let resumedMs = cluster.armed.sinceThen(back)
  while (resumedMs === null && Date.now() - back < 60_000) {
    await delay(50)
    resumedMs = cluster.armed.sinceThen(back)
  }
  await delay(DUE_MS)
  // What was armed the first time may stand still once more, while accounts move.
  const ms = cluster.armed.sinceThen(back) ?? Number.POSITIVE_INFINITY
  const after = (await ordersTaken(cluster)).filter((at) => at > back).length
  print(
    `the database down for ${DATABASE_DOWN_MS / 1_000} s: ${taken.length} orders in the first ${LEASE_MS / 1_000} s that were ` +
      `committed before, ${late.length} later, all armed ${seconds(ms)} after it was back, ${after} orders since`,
  )
  return {
    resumedMs: ms,
    problems: [
      ...late.map((at) => `an order ${at - killed} ms after the database was gone`),
      ...(ms > MAX_RESUMED_MS ? [`all armed ${ms} ms after the database was back, at most ${MAX_RESUMED_MS}`] : []),
      ...(after === 0 ? ['nothing was ordered after the database was back'] : []),
    ],
  }
}

/** When each order of everybody was taken, epoch ms. */
export async function ordersTaken({ broker, size }: Cluster): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < size.accounts; n += 1) {
    const events = await broker.events(demoCredentials(n).accountNumber)
    for (const event of events) if (event.kind === 'accepted' && event.order.change === null) taken.push(event.order.at)
  }
  return taken
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
