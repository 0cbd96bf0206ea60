import { setTimeout as delay } from 'node:timers/promises'
import type { Truth } from '../agreement/agreement.ts'
import type { Stage } from '../crash/stage.ts'
import { clientsOf, type PersonClient } from './person-client.ts'
import type { FaultInjection } from './fault-injection.ts'
import { auditAmended } from './amended-audit.ts'
import { seconds } from './waiting.ts'
import { beginBehindProxy, numberIn, orderIn, type SentOrder, type BrokerProxy } from './broker-proxy.ts'

const ORDERS = 3
const NOTICE_TIMEOUT_MS = 30_000
/** For so long after that nothing automatic may be bought there, ms. */
const WATCHED_MS = 60_000
const SETTLE_MS = 45_000

interface Stranger extends SentOrder {
  readonly odno: string
  /** When it was first filled, epoch ms; null before. */
  filledAt: number | null
  /** When the stock was seen blocked, epoch ms; null before. */
  blockedAt: number | null
}

/** The network delivers an order twice, three times: the broker has orders, and soon shares, that no book knows. */
export const strangers: FaultInjection = {
  name: 'strangers among the orders',
  missing: () => null,
  async run({ open }) {
    await using scene = await beginBehindProxy(open)
    const { stage, proxy, server } = scene
    const clients = await clientsOf(stage, server)
    const found: Stranger[] = []
    deliverTwice(proxy, found)
    const working = stage.work(NOTICE_TIMEOUT_MS + WATCHED_MS + 10_000)
    await watch(stage, clients, found, working)
    await stage.checkPromises()
    await checkStrangers(stage, clients, found)
    await stage.broker.halt(stage.people.flatMap(({ codes }) => codes))
    await delay(SETTLE_MS)
    for (const one of found) {
      const blocked = await blockOf(clients, one)
      if (one.filledAt !== null && blocked === null)
        stage.problems.push(`${one.code}: book and broker differ at the end and no card says so`)
    }
    const code = await server.end('SIGTERM')
    if (code !== 0) stage.problems.push(`asked to end, the server left with ${code}`)
    await auditAmended(stage, (truth, { credentials }) => withoutStrangers(truth, credentials.accountNumber, found))
    return found.map((one) => `${one.code}: ${outcomeOf(one)}`)
  },
}

function deliverTwice(proxy: BrokerProxy, found: Stranger[]): void {
  proxy.intercept = async (call, pass) => {
    const order = orderIn(call)
    if (order?.side !== 'buy' || found.length >= ORDERS || found.some(({ code }) => code === order.code)) return pass()
    const reply = await pass()
    const odno = numberIn(await pass())
    if (odno !== null) found.push({ ...order, odno, filledAt: null, blockedAt: null })
    return reply
  }
}

/** Notes when each stranger was first filled and when its stock was blocked. */
async function watch(
  stage: Stage,
  clients: readonly PersonClient[],
  found: Stranger[],
  working: Promise<void>,
): Promise<void> {
  const over = new AbortController()
  const ended = working.finally(() => over.abort())
  while (!over.signal.aborted) {
    for (const one of found) {
      if (one.blockedAt !== null) continue
      one.filledAt ??= await firstFill(stage, one)
      // Blocked for what came before it does not count, so it is asked from the fill on.
      if (one.filledAt !== null && (await blockOf(clients, one)) !== null) one.blockedAt = Date.now()
    }
    await delay(500)
  }
  await ended
}

async function firstFill(stage: Stage, { account, odno }: Stranger): Promise<number | null> {
  const events = await stage.broker.events(account)
  return events.find((event) => event.kind === 'filled' && event.odno === odno)?.at ?? null
}

async function blockOf(clients: readonly PersonClient[], { account, code }: Stranger): Promise<string | null> {
  const client = clients.find(({ person }) => person.credentials.accountNumber === account)
  return (await client?.stock(code))?.blocked ?? null
}

async function checkStrangers(
  stage: Stage,
  clients: readonly PersonClient[],
  found: readonly Stranger[],
): Promise<void> {
  const filled = found.filter(({ filledAt }) => filledAt !== null)
  if (filled.length === 0) stage.problems.push('no doubled order was filled: this proves nothing')
  for (const one of filled) {
    const since = one.filledAt ?? 0
    if (one.blockedAt === null || one.blockedAt - since > NOTICE_TIMEOUT_MS)
      stage.problems.push(`${one.code}: strange shares at the broker, ${outcomeOf(one)}`)
    const person = clients.find((client) => client.person.credentials.accountNumber === one.account)?.person
    const placed = person === undefined ? [] : await stage.ordersOf(person)
    const bought = placed.filter(
      ({ code, side, at }) => code === one.code && side === 'buy' && at > since + NOTICE_TIMEOUT_MS,
    )
    if (bought.length > 0)
      stage.problems.push(
        `${one.code}: ${bought.length} buys later than ${NOTICE_TIMEOUT_MS / 1_000} s after strange shares`,
      )
  }
}

const outcomeOf = ({ filledAt, blockedAt }: Stranger): string => {
  if (filledAt === null) return 'its double was not filled'
  return blockedAt === null ? 'not blocked' : `blocked after ${seconds(blockedAt - filledAt)}`
}

/** The broker as it would be had nothing been delivered twice. */
function withoutStrangers(truth: Truth, account: string, found: readonly Stranger[]): Truth {
  const strange = new Set(found.filter((one) => one.account === account).map(({ odno }) => odno))
  const shares = new Map<string, number>()
  let cashAfter = truth.cashAfter
  for (const event of truth.events) {
    if (event.kind !== 'filled' || !strange.has(event.odno)) continue
    shares.set(event.code, (shares.get(event.code) ?? 0) + event.count)
    cashAfter += event.count * event.price + event.fee
  }
  return {
    ...truth,
    cashAfter,
    events: truth.events.filter((event) => !strange.has(numberOf(event))),
    orders: truth.orders.filter(({ odno }) => !strange.has(odno)),
    holdings: truth.holdings.map((one) => ({ ...one, count: one.count - (shares.get(one.code) ?? 0) })),
  }
}

function numberOf(event: Truth['events'][number]): string {
  if (event.kind === 'accepted') return event.order.odno
  return event.kind === 'filled' || event.kind === 'reduced' ? event.odno : ''
}
