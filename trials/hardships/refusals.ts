import { generator } from '@digger/app'
import type { Stage } from '../crash/stage.ts'
import { finish, checkTradesAgain, type FaultInjection } from './fault-injection.ts'
import { beginBehindProxy, numberIn, orderIn, type BrokerReply, type SentOrder } from './broker-proxy.ts'

const MISREPORT_PROBABILITY = 0.4
const MISREPORT_MS = 14_000
/** On a slow machine few orders pass in that time; then it goes on until so many were misreported, or for a minute. */
const MIN_MISREPORTED = 4
const MAX_MISREPORT_MS = 60_000
/** No list can settle an order earlier than this after its reply: until then nothing new may be sent for the stock, ms. */
const UNSETTLED_MS = 15_000

interface Misreported extends SentOrder {
  readonly odno: string
  readonly at: number
}

/** The broker's list of codes is open-ended: orders are carried out, and the reply names an unknown code. */
export const refusals: FaultInjection = {
  name: 'refusals with an unknown code',
  missing: () => null,
  async run({ open, seed }) {
    await using scene = await beginBehindProxy(open)
    const { stage, proxy, server } = scene
    const draw = generator(seed)
    const misreported: Misreported[] = []
    proxy.intercept = async (call, pass) => {
      const order = orderIn(call)
      const reply = await pass()
      const odno = order === null ? null : numberIn(reply)
      if (order === null || odno === null || draw() >= MISREPORT_PROBABILITY) return reply
      misreported.push({ ...order, odno, at: Date.now() })
      return unknownRefusal(reply)
    }
    const began = performance.now()
    await stage.work(MISREPORT_MS)
    while (misreported.length < MIN_MISREPORTED && performance.now() - began < MAX_MISREPORT_MS) await stage.work(1_000)
    proxy.intercept = null
    // The last misreported order is not older than this when the steps are counted.
    await stage.work(UNSETTLED_MS)
    await checkTradesAgain(stage, 'after the unknown refusals')
    await stage.refuseForNow()
    const again = await repeated(stage, misreported)
    if (misreported.length === 0) stage.problems.push('no order was refused: this proves nothing')
    if (again > 0)
      stage.problems.push(`${again} buys within ${UNSETTLED_MS / 1_000} s after a buy of the stock without a verdict`)
    await finish(stage, server)
    return [`${misreported.length} accepted orders were answered with ZZZZ0001, ${again} buys repeated`]
  },
}

const unknownRefusal = ({ headers }: BrokerReply): BrokerReply => ({
  status: 200,
  headers,
  body: JSON.stringify({ rt_cd: '1', msg_cd: 'ZZZZ0001', msg1: '처리할 수 없습니다.'.padEnd(80) }),
})

/** Counts buys that went out before anybody could know what had become of the one before. The broker itself would refuse a second sale. */
async function repeated(stage: Stage, misreported: readonly Misreported[]): Promise<number> {
  const placed = (await Promise.all(stage.people.map((person) => stage.ordersOf(person)))).flat()
  const buys = misreported.filter(({ side }) => side === 'buy')
  return buys.reduce((sum, misreport) => {
    const rivals = placed.filter(
      ({ account, code, side, odno, at }) =>
        account === misreport.account &&
        code === misreport.code &&
        side === 'buy' &&
        odno !== misreport.odno &&
        at > misreport.at &&
        at < misreport.at + UNSETTLED_MS,
    )
    return sum + rivals.length
  }, 0)
}
