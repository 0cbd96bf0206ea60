import { setTimeout as delay } from 'node:timers/promises'
import type { PostgresServer } from '@digger/database/testing'
import type { Child } from '../crash/child.ts'
import { isUnknown } from '../crash/liveness.ts'
import type { Person } from '../crash/person.ts'
import type { Stage } from '../crash/stage.ts'
import { DatabaseOperator, ownPostgres, postgresMissing } from './database-operator.ts'
import { PersonClient } from './person-client.ts'
import { armedWithin, finish, type FaultInjection, type FaultContext, writeMasterKey } from './fault-injection.ts'
import { ignorePendingVerdicts } from './amended-audit.ts'
import { seconds, timeUntil } from './waiting.ts'
import { Line, lineMissing } from './network-line.ts'
import { QUIET_MARKET, Tape } from './tape.ts'
import { addressesOf } from './broker-proxy.ts'

interface CutPlan {
  readonly cutMs: number
  /** `old`: a server that starts later has a good line. */
  readonly cut: 'all' | 'old'
  /** What becomes of the server that has just written the order. */
  readonly fate: 'alive' | 'killed' | 'asleep'
  /** How long it sleeps while another one takes over, ms. */
  readonly asleepMs?: number
}

const SHORT_RUN: readonly CutPlan[] = [
  { cutMs: 15_000, cut: 'all', fate: 'alive' },
  { cutMs: 30_000, cut: 'all', fate: 'alive' },
  { cutMs: 30_000, cut: 'old', fate: 'killed' },
  { cutMs: 60_000, cut: 'all', fate: 'asleep', asleepMs: 130_000 },
]
const OUTAGES_MS = [5_000, 15_000, 25_000, 30_000, 40_000, 60_000]
const FULL_RUN: readonly CutPlan[] = [
  ...OUTAGES_MS.flatMap((cutMs): CutPlan[] => [
    { cutMs, cut: 'all', fate: 'alive' },
    { cutMs, cut: 'all', fate: 'killed' },
    { cutMs, cut: 'old', fate: 'killed' },
  ]),
  ...[130_000, 190_000, 250_000].flatMap((asleepMs): CutPlan[] => [
    { cutMs: 60_000, cut: 'all', fate: 'asleep', asleepMs },
    { cutMs: 30_000, cut: 'old', fate: 'asleep', asleepMs },
  ]),
]

/** On the tick grid of every price, and less than a percent of those used here: cash is asked ahead that near. */
const GRID_WON = 1_000
const PREPARE_TIMEOUT_MS = 60_000
/** The question about cash is asked again after the other stock's buy. */
const CASH_QUERY_MS = 3_000
const ARM_TIMEOUT_MS = 60_000
/**
 * An order without a verdict is settled by now: a time-out of 20 s and a list 20 s later; after a lost process 120 s,
 * for which the kernel may still send its bytes. From the mending of the line, with half a minute to spare.
 */
const SETTLE_TIMEOUT_MS = { alive: 75_000, killed: 190_000, asleep: 190_000 }
/**
 * The kernel sends again after 0.2, 0.6, 1.4 … 26.8, 54.5 s, and when the socket still has a process after 109 s (measured
 * here): what did not arrive by then does not arrive in these trials, ms from the cut.
 */
const MAX_ARRIVAL_MS = 125_000
const AWAKE_MS = 30_000

/** The line to the broker is cut after an order was written: its bytes may arrive long after everyone has given them up. */
export const cutLine: FaultInjection = {
  name: 'a cut line',
  missing: () => postgresMissing() ?? lineMissing(),
  async run(context) {
    await using postgres = await ownPostgres()
    await using line = await Line.open(context.folder)
    const report: string[] = []
    for (const plan of context.all ? FULL_RUN : SHORT_RUN) {
      const title = titleOf(plan)
      context.print(`  ${title}`)
      report.push(`${title}: ${await runPlan(context, postgres, line, plan)}`)
    }
    return report
  },
}

const titleOf = ({ cutMs, cut, fate }: CutPlan): string =>
  `${cut === 'all' ? 'the line' : 'one path'} cut for ${cutMs / 1_000} s, server ${fate}`

async function runPlan(context: FaultContext, postgres: PostgresServer, line: Line, plan: CutPlan): Promise<string> {
  await using operator = await DatabaseOperator.on(postgres)
  const env = {
    DATABASE_URL: operator.url,
    MASTER_KEY_FILE: writeMasterKey(context.folder),
    KIS_REST_URL: `http://${line.at}`,
    KIS_WS_URL: `ws://${line.at}`,
  }
  const stage = await context.open(env, { market: QUIET_MARKET })
  line.broker = Number(new URL(addressesOf(stage).url).port)
  await using tape = new Tape(stage)
  const [person] = stage.people
  const [warm = '', code = ''] = person?.codes ?? []
  if (person === undefined) throw new Error('nobody is there')
  const server = await startServer(stage, true)
  const client = await PersonClient.of(person, server)
  const floor = await nearlyBuys(stage, client, tape, [warm, code])
  await tape.set(warm, floor(warm))
  await until(`the buy of ${warm}`, async () => (await client.stock(warm)).remainCount > 0)
  await delay(CASH_QUERY_MS)

  line.cut(plan.cut)
  const cutAt = Date.now()
  try {
    await tape.set(code, floor(code))
    await until(`the order for ${code}`, async () => (await client.orders()).some((one) => one.code === code))
    await until('its writing', async () => line.orderWritten())
    const next = await applyFate(stage, operator, server, plan)
    await delay(Math.max(0, cutAt + plan.cutMs - Date.now()))
    line.mend()
    return await checkAftermath({ stage, plan, first: server, server: next, code, person, cutAt })
  } finally {
    line.mend()
  }
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  if ((await timeUntil(PREPARE_TIMEOUT_MS, look, 50)) === null) throw new Error(`${what} did not come`)
}

async function startServer(stage: Stage, first: boolean): Promise<Child> {
  const began = performance.now()
  const server = stage.spawn()
  await stage.waitUntilOpen(server)
  if (first) {
    await stage.join()
    await stage.waitUntilArmed(server, began)
  }
  return server
}

/** Two stocks that buy one share each at a price just below the last: cash is asked ahead. Returns those prices. */
async function nearlyBuys(
  stage: Stage,
  client: PersonClient,
  tape: Tape,
  codes: readonly string[],
): Promise<(code: string) => number> {
  const prices = await stage.broker.prices()
  const floor = (code: string): number => Math.floor(((prices[code] ?? 0) * 0.95) / GRID_WON) * GRID_WON
  for (const code of codes) {
    await client.changeSettings(code, {
      maxBuyPrice: floor(code),
      lastBuyPrice: null,
      buyUnitPrice: 1,
      buyPercent: -25,
      autoSell: false,
    })
    await tape.set(code, floor(code) + GRID_WON)
  }
  await delay(CASH_QUERY_MS)
  if ((await stage.ordersTaken()).length > 0) throw new Error('something was bought before its time')
  return floor
}

/** What becomes of the server; returns the one that goes on. */
async function applyFate(stage: Stage, operator: DatabaseOperator, server: Child, { fate }: CutPlan): Promise<Child> {
  if (fate === 'alive') return server
  if (fate === 'killed') await server.end('SIGKILL')
  else {
    server.freeze()
    await operator.cut()
  }
  return startServer(stage, false)
}

interface Aftermath {
  readonly stage: Stage
  readonly plan: CutPlan
  /** The one that wrote the order. */
  readonly first: Child
  readonly server: Child
  readonly code: string
  readonly person: Person
  readonly cutAt: number
}

async function checkAftermath({ stage, plan, first, server, code, person, cutAt }: Aftermath): Promise<string> {
  const what = titleOf(plan)
  const client = await PersonClient.of(person, server)
  const mended = performance.now()
  if (!(await armedWithin(stage, server, ARM_TIMEOUT_MS)))
    stage.problems.push(`${what}: not armed within ${ARM_TIMEOUT_MS / 1_000} s after the line was back`)
  const waking = plan.fate === 'asleep' ? wake(first, cutAt + (plan.asleepMs ?? 0)) : null
  const settled = await timeUntil(SETTLE_TIMEOUT_MS[plan.fate], () => isSettled(client, code, plan), 500)
  const took = performance.now() - mended
  if (settled === null)
    stage.problems.push(
      `${what}: the stock stood still without an explanation ${seconds(took)} after the line was back`,
    )
  // A late order may arrive until the kernel gives it up.
  await delay(Math.max(0, cutAt + MAX_ARRIVAL_MS - Date.now()))
  await waking
  // The one that woke up held the key's only socket until it ended; without prices nothing is due.
  if (
    plan.fate === 'asleep' &&
    (await timeUntil(ARM_TIMEOUT_MS, async () => (await person.client.connectedAt()) !== null)) === null
  )
    stage.problems.push(`${what}: no prices ${ARM_TIMEOUT_MS / 1_000} s after the first server had ended`)
  const orders = (await stage.ordersOf(person)).filter((order) => order.code === code)
  const times = orders.map(({ at }) => `+${seconds(at - cutAt)}`).join(', ')
  if (orders.length > 1) stage.problems.push(`${what}: ${orders.length} orders for one step, at ${times}`)
  const { remainCount, blocked } = await client.stock(code)
  await finish(stage, server)
  if (plan.fate === 'asleep') ignorePendingVerdicts(stage)
  return `${orders.length} orders at the broker (${times}), ${remainCount} shares in the book, settled ${seconds(took)} after the mending${blocked === null ? '' : `, blocked: ${blocked}`}`
}

/** Wakes the server that slept; half a minute later it is ended if it has not left by itself. */
async function wake(server: Child, at: number): Promise<void> {
  await delay(Math.max(0, at - Date.now()))
  server.thaw()
  await delay(AWAKE_MS)
  if (!server.ended) await server.end('SIGKILL')
}

/**
 * The stock is bought, or its card says why not: no order of it lacks a verdict in silence. After a process that may still
 * live the wait is sixteen minutes, and the card names the order.
 */
async function isSettled(client: PersonClient, code: string, { fate }: CutPlan): Promise<boolean> {
  const { remainCount, blocked, reasons } = await client.stock(code)
  if (fate === 'asleep' && reasons.some(isUnknown)) return true
  const waiting = (await client.orders()).some((one) => one.code === code)
  return blocked !== null || (remainCount > 0 && !waiting)
}
