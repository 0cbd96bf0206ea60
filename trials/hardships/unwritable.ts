import { setTimeout as delay } from 'node:timers/promises'
import type { Child } from '../crash/child.ts'
import type { Stage } from '../crash/stage.ts'
import { DatabaseOperator, postgresMissing } from './database-operator.ts'
import { clientsOf, type PersonClient } from './person-client.ts'
import { armedWithin, startTrading, finish, checkTradesAgain, type FaultInjection } from './fault-injection.ts'
import { seconds, timeUntil } from './waiting.ts'

const READ_ONLY_MS = 30_000
const JOURNAL_CLOSED_MS = 10_000
const RECOVERY_TIMEOUT_MS = 60_000
const NOTICE_TIMEOUT_MS = 10_000
const CANCEL_TIMEOUT_MS = 30_000
/** Replies of orders wait this long, so that some are surely on their way when writing ends. */
const REPLY_DELAY_MS = 3_000
/** Sales rest this far above the price; the day's limit is 30 percent. */
const FAR_FACTOR = 1.2
/** Orders without a verdict hold their stocks until the list may be believed. */
const PREPARE_TIMEOUT_MS = 180_000
const KOREAN_TEXT = /[가-힣]{2}/

/** Broker numbers of sales that wait far above the price; null where none could be placed. */
type Resting = ReadonlyMap<PersonClient, string | null>

/** The database reads and does not write, as a standby or a full disk does; later only its journal refuses rows. */
export const unwritable: FaultInjection = {
  name: 'an unwritable database',
  missing: postgresMissing,
  async run({ open }) {
    await using operator = await DatabaseOperator.open()
    const stage = await open({ DATABASE_URL: operator.url })
    const server = await startTrading(stage)
    const clients = await clientsOf(stage, server)
    const report: string[] = []

    const first = await restingSales(stage, clients)
    await ordersOnTheirWay(stage)
    await operator.readOnly(true)
    await operator.cut()
    report.push(await whileReadOnly(stage, first))
    await operator.readOnly(false)
    await operator.cut()
    await stage.broker.clearFaults()
    report.push(await backAgain(stage, server, first, 'read-only'))

    const second = await restingSales(stage, clients)
    const session = await operator.session()
    await session.query(`create function closed() returns trigger language plpgsql as
      $$ begin raise exception 'closed'; end $$`)
    await ordersOnTheirWay(stage)
    await session.query('create trigger closed before insert on journal for each statement execute function closed()')
    await stage.work(JOURNAL_CLOSED_MS)
    await session.query('drop trigger closed on journal')
    await session.query('drop function closed')
    await stage.broker.clearFaults()
    report.push(await backAgain(stage, server, second, 'journal closed'))

    await checkTradesAgain(stage, 'writable again')
    await finish(stage, server)
    return report
  },
}

async function ordersOnTheirWay(stage: Stage): Promise<void> {
  for (const endpoint of ['orderBuy', 'orderSell'])
    await stage.broker.addFault('delay', { endpoint, ms: REPLY_DELAY_MS })
  await stage.work(REPLY_DELAY_MS)
}

/** A sale far above the price for each person: an order with a number that waits to be cancelled. */
async function restingSales(stage: Stage, clients: readonly PersonClient[]): Promise<Resting> {
  const prices = await stage.broker.prices()
  const resting = new Map<PersonClient, string | null>()
  const rest = async (client: PersonClient): Promise<boolean> => {
    for (const code of client.person.codes) {
      const price = Math.round(((prices[code] ?? 0) * FAR_FACTOR) / 1_000) * 1_000
      await client.sellAt(code, price, 1)
      const order = (await client.orders()).find((one) => one.price === price && !one.orderId.startsWith('local-'))
      if (order !== undefined) return Boolean(resting.set(client, order.orderId))
    }
    return false
  }
  for (const client of clients) {
    if ((await timeUntil(PREPARE_TIMEOUT_MS, () => rest(client))) !== null) continue
    resting.set(client, null)
    stage.problems.push(`${client.person.email} could not sell anything for ${PREPARE_TIMEOUT_MS / 1_000} s`)
  }
  return resting
}

/** Health must say so, and a cancel that cannot be recorded must not be called done. */
async function whileReadOnly(stage: Stage, resting: Resting): Promise<string> {
  const [first] = resting.keys()
  const working = stage.work(READ_ONLY_MS)
  const healthy = countHealthy(first, NOTICE_TIMEOUT_MS, READ_ONLY_MS - 2_000)
  const answers: string[] = []
  for (const [client, orderId] of resting) {
    if (orderId === null) continue
    const { status, text } = await client.cancel(orderId)
    answers.push(String(status))
    if (status === 200 || !KOREAN_TEXT.test(text))
      stage.problems.push(`a cancel that cannot be written was answered ${status} ${text}`)
  }
  const { asked, well } = await healthy
  if (well > 0) stage.problems.push(`${well} of ${asked} times /health said ok while nothing could be written`)
  await working
  return `read-only: /health ok ${well} of ${asked} times, cancels answered ${answers.join(' ')}`
}

/** Asks for /health between two instants from now. */
async function countHealthy(client: PersonClient | undefined, fromMs: number, toMs: number) {
  const since = performance.now()
  await delay(fromMs)
  let [asked, well] = [0, 0]
  for (; performance.now() - since < toMs; await delay(500)) {
    asked += 1
    if (await isWell(client)) well += 1
  }
  return { asked, well }
}

const isWell = async (client: PersonClient | undefined): Promise<boolean> =>
  client === undefined || ((await client.health())?.well ?? false)

async function backAgain(stage: Stage, server: Child, resting: Resting, what: string): Promise<string> {
  const clients = [...resting.keys()]
  const since = performance.now()
  // Nothing is done for the people meanwhile: an account comes back by itself.
  const armed = await armedWithin(stage, server, RECOVERY_TIMEOUT_MS)
  const took = performance.now() - since
  if (server.ended) throw new Error(`${what}: the server left`)
  const { armed: count } = (await clients[0]?.health()) ?? { armed: 0 }
  if (!armed)
    stage.problems.push(`${what}: ${count} of ${clients.length} accounts armed ${RECOVERY_TIMEOUT_MS / 1_000} s later`)
  const well = await timeUntil(RECOVERY_TIMEOUT_MS, () => isWell(clients[0]))
  if (well === null) stage.problems.push(`${what}: /health is not ok a minute after it was over`)
  await stage.checkPromises()
  for (const [client, orderId] of resting) if (orderId !== null) await cancelIsDone(stage, client, orderId, what)
  return `${what}: ${count} of ${clients.length} armed after ${seconds(took)}`
}

/** What is answered "done" is done at the broker; what is not done is refused with a reason. */
async function cancelIsDone(stage: Stage, client: PersonClient, orderId: string, what: string): Promise<void> {
  if (!(await client.orders()).some((one) => one.orderId === orderId)) return
  const { status, text } = await client.cancel(orderId)
  if (status !== 200) {
    if (!KOREAN_TEXT.test(text))
      stage.problems.push(`${what}: a cancel was refused without a reason: ${status} ${text}`)
    return
  }
  const { accountNumber } = client.person.credentials
  const gone = await timeUntil(CANCEL_TIMEOUT_MS, async () => {
    const live = await stage.broker.liveOrders(accountNumber)
    return !live.some(({ odno }) => odno === orderId)
  })
  if (gone === null)
    stage.problems.push(
      `${what}: a cancel was answered "done", the order stood for ${CANCEL_TIMEOUT_MS / 1_000} s more`,
    )
}
