import { generator } from '@digger/app'
import type { Stage } from '../crash/stage.ts'
import { finish, tradesAgain, type Hardship } from './hardship.ts'
import { ordersOf } from './judgement.ts'
import { beginBehindWire, numberIn, orderIn, type Reply, type SentOrder } from './wire.ts'

const SHARE = 0.4
const LYING_MS = 14_000
/** On a slow machine few orders pass in that time; then it goes on until so many were answered so, or for a minute. */
const LIES = 4
const LONGEST_MS = 60_000
/** No list can settle an order earlier than this after its reply: until then nothing new may be sent for the stock, ms. */
const UNSETTLED_MS = 15_000

interface Lie extends SentOrder {
  readonly odno: string
  readonly at: number
}

/** The broker's list of codes is open-ended: orders are carried out, and the reply names a code nobody has heard of. */
export const refusals: Hardship = {
  name: 'refusals nobody has heard of',
  missing: () => null,
  async run({ open, seed }) {
    await using scene = await beginBehindWire(open)
    const { stage, wire, server } = scene
    const draw = generator(seed)
    const lies: Lie[] = []
    wire.meddling = async (call, pass) => {
      const order = orderIn(call)
      const reply = await pass()
      const odno = order === null ? null : numberIn(reply)
      if (order === null || odno === null || draw() >= SHARE) return reply
      lies.push({ ...order, odno, at: Date.now() })
      return unheardOf(reply)
    }
    const began = performance.now()
    await stage.work(LYING_MS)
    while (lies.length < LIES && performance.now() - began < LONGEST_MS) await stage.work(1_000)
    wire.meddling = null
    // The last lie is not older than this when the steps are counted.
    await stage.work(UNSETTLED_MS)
    await tradesAgain(stage, 'after the unheard-of refusals')
    const again = await repeated(stage, lies)
    if (lies.length === 0) stage.problems.push('no order was refused: this proves nothing')
    if (again > 0)
      stage.problems.push(`${again} buys within ${UNSETTLED_MS / 1_000} s after a buy of the stock without a verdict`)
    await finish(stage, server)
    return [`${lies.length} accepted orders were answered with ZZZZ0001, ${again} buys repeated`]
  },
}

const unheardOf = ({ headers }: Reply): Reply => ({
  status: 200,
  headers,
  body: JSON.stringify({ rt_cd: '1', msg_cd: 'ZZZZ0001', msg1: '처리할 수 없습니다.'.padEnd(80) }),
})

/** Buys that went out before anybody could know what had become of the one before. A second sale the broker itself would refuse. */
async function repeated(stage: Stage, lies: readonly Lie[]): Promise<number> {
  const placed = (await Promise.all(stage.people.map((person) => ordersOf(stage, person)))).flat()
  const buys = lies.filter(({ side }) => side === 'buy')
  return buys.reduce((sum, lie) => {
    const rivals = placed.filter(
      ({ account, code, side, odno, at }) =>
        account === lie.account &&
        code === lie.code &&
        side === 'buy' &&
        odno !== lie.odno &&
        at > lie.at &&
        at < lie.at + UNSETTLED_MS,
    )
    return sum + rivals.length
  }, 0)
}
