import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../crash/child.ts'
import { isUnknown } from '../crash/liveness.ts'
import type { Stage } from '../crash/stage.ts'
import { DatabaseOperator, postgresMissing } from './database-operator.ts'
import { clientsOf, type PersonClient } from './person-client.ts'
import { finish, takenBetween, type FaultInjection, writeMasterKey } from './fault-injection.ts'
import { ignorePendingVerdicts } from './amended-audit.ts'
import { seconds, timeUntil } from './waiting.ts'
import { QUIET_MARKET, Tape } from './tape.ts'
import { orderIn, BrokerProxy } from './broker-proxy.ts'

const SLICES = 5
const SLOW_REPLY_MS = 12_000
const ASLEEP_AFTER_STOP_MS = 50_000
const AWAKE_MS = 30_000
const EXPLAIN_TIMEOUT_MS = 150_000
const PREPARE_TIMEOUT_MS = 60_000
/** The log of a server that says why it does nothing. */
const EXPLANATION = /데이터베이스|다른 Digger|잠금|\b(lock|lease)\b/

/** A server sleeps with orders in its queue while another takes over and everyone presses stop; then it wakes up. */
export const takeover: FaultInjection = {
  name: 'a takeover while asleep',
  missing: postgresMissing,
  async run({ folder, open }) {
    await using operator = await DatabaseOperator.open()
    const stage = await open(
      { DATABASE_URL: operator.url, MASTER_KEY_FILE: writeMasterKey(folder) },
      { market: QUIET_MARKET },
    )
    await using proxy = await BrokerProxy.before(stage)
    await using tape = new Tape(stage)
    const first = await startServer(stage, proxy)
    await sellInSlices(stage, proxy, tape, await clientsOf(stage, first))
    first.freeze()
    // What is on its way keeps its slow reply; the next server finds a quick broker.
    proxy.intercept = null
    await operator.cut()

    const began = performance.now()
    const second = await startServer(stage, proxy, began)
    const armed = performance.now() - began
    for (const person of stage.people) await person.setStop('user', '', 'halt')
    await delay(ASLEEP_AFTER_STOP_MS)
    const report = [`the second server was armed after ${seconds(armed)}`, await wakeUp(stage, first)]
    if (!first.ended) await first.end('SIGKILL')
    await checkPendingShown(stage, await clientsOf(stage, second))
    for (const person of stage.people) await person.setStop('user', '', 'active')
    await finish(stage, second)
    ignorePendingVerdicts(stage)
    return report
  },
}

async function checkPendingShown(stage: Stage, clients: readonly PersonClient[]): Promise<void> {
  for (const client of clients) {
    const cards = await Promise.all(client.person.codes.map((code) => client.stock(code)))
    if (!cards.some(({ reasons }) => reasons.some(isUnknown)))
      stage.problems.push(`${client.person.email}: no card says that orders have no verdict yet`)
  }
}

/** Starts a server behind the proxy; people join the first one. */
async function startServer(stage: Stage, proxy: BrokerProxy, since: number | null = null): Promise<Child> {
  const began = since ?? performance.now()
  const server = stage.spawn({ KIS_REST_URL: proxy.url })
  await stage.waitUntilOpen(server)
  if (since === null) await stage.join()
  await stage.waitUntilArmed(server, began)
  return server
}

/** Each person buys some shares and sells them in slices; returns when the first slice of each is at the broker. */
async function sellInSlices(
  stage: Stage,
  proxy: BrokerProxy,
  tape: Tape,
  clients: readonly PersonClient[],
): Promise<void> {
  const prices = await stage.broker.prices()
  const sales: { client: PersonClient; code: string; price: number }[] = []
  for (const client of clients) {
    const code = client.person.codes.reduce((a, b) => ((prices[a] ?? 0) <= (prices[b] ?? 0) ? a : b))
    const price = prices[code] ?? 0
    await client.changeSettings(code, { buyUnitPrice: price * SLICES, autoSell: false })
    await tape.set(code, price)
    sales.push({ client, code, price: Math.round((price * 1.1) / 1_000) * 1_000 })
  }
  for (const { client, code } of sales) {
    const held = await timeUntil(PREPARE_TIMEOUT_MS, async () => (await client.stock(code)).remainCount >= SLICES)
    if (held === null) throw new Error(`${code} was not bought in time`)
    await client.changeSettings(code, { autoBuy: false })
  }
  proxy.intercept = async (call, pass) => {
    const reply = await pass()
    if (orderIn(call) !== null) await delay(SLOW_REPLY_MS)
    return reply
  }
  for (const { client, code, price } of sales) {
    const before = (await stage.ordersOf(client.person)).length
    // The server falls asleep before it can answer.
    client.sellAt(code, price, SLICES).catch(() => undefined)
    const sent = await timeUntil(
      PREPARE_TIMEOUT_MS,
      async () => (await stage.ordersOf(client.person)).length > before,
      50,
    )
    if (sent === null) throw new Error(`no slice of ${code} reached the broker`)
  }
}

/** No order of it may reach the broker any more, and it must say why it stands still, or end. */
async function wakeUp(stage: Stage, server: Child): Promise<string> {
  const from = Date.now()
  const loggedBefore = server.output.length
  const woke = performance.now()
  server.thaw()
  await delay(AWAKE_MS)
  const taken = (await stage.ordersTaken()).filter((at) => at >= from)
  const sent = await takenBetween(stage, from, Date.now())
  if (sent > 0)
    stage.problems.push(`${sent} orders against a stop, the first ${Math.min(...taken) - from} ms after the wake-up`)
  const explained = (): boolean => server.ended || EXPLANATION.test(server.output.slice(loggedBefore))
  const after = await timeUntil(EXPLAIN_TIMEOUT_MS, async () => explained(), 500)
  if (after === null)
    stage.problems.push(`the woken server neither ended nor explained itself in ${EXPLAIN_TIMEOUT_MS / 1_000} s`)
  const outcome =
    after === null ? '' : `; it ${server.ended ? 'ended' : 'said so'} within ${seconds(performance.now() - woke)}`
  return `${sent} orders after the wake-up${outcome}`
}
