import { clientsOf, type PersonClient } from './person-client.ts'
import { windDown, type Hardship } from './hardship.ts'
import { judgeAmended, seconds, within } from './judgement.ts'
import { beginBehindWire, orderIn, type Reply, type SentOrder } from './wire.ts'

/** Far from the numbers the broker gives by itself. */
const ODNO = '0009000001'
const NAMED_MS = 60_000

/** The broker says "accepted" and gives a number, but never sends the order on: no list will ever show it. */
export const phantom: Hardship = {
  name: 'a phantom order',
  missing: () => null,
  async run({ open }) {
    await using scene = await beginBehindWire(open)
    const { stage, wire, server } = scene
    const clients = await clientsOf(stage, server)
    const made = Promise.withResolvers<SentOrder>()
    wire.meddling = async (call, pass) => {
      const order = orderIn(call)
      if (order?.side !== 'buy') return pass()
      wire.meddling = null
      made.resolve(order)
      return accepted()
    }
    const working = stage.work(NAMED_MS)
    const order = await made.promise
    const client = clients.find(({ person }) => person.credentials.accountNumber === order.account)
    if (client === undefined) throw new Error('an order of nobody')
    const took = await within(NAMED_MS, () => isNamed(client, order.code), 1_000)
    await working
    if (took === null) stage.problems.push(`a phantom order stayed live for ${NAMED_MS / 1_000} s without a word`)
    await windDown(stage, server)
    // The row is right to say what the broker said; that it had no fill is what the audit must find.
    await judgeAmended(stage, (truth, { credentials }) => {
      const model = truth.orders.find(({ change, side }) => change === null && side === 'buy')
      if (credentials.accountNumber !== order.account || model === undefined) return truth
      return { ...truth, orders: [...truth.orders, { ...model, ...order, odno: ODNO }] }
    })
    return [took === null ? 'never named' : `named after ${seconds(took)}`]
  },
}

/** Told on the card, or no longer called live. */
async function isNamed(client: PersonClient, code: string): Promise<boolean> {
  const { blocked, reasons } = await client.stock(code)
  if (reasons.some((reason) => reason.code === 'unlisted')) return true
  const live = (await client.orders()).some(({ orderId }) => orderId === ODNO)
  // Before its reply is booked it is live under our own number only.
  const waiting = (await client.orders()).some((one) => one.code === code && one.orderId.startsWith('local-'))
  return blocked !== null || (!live && !waiting)
}

const accepted = (): Reply => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({
    rt_cd: '0',
    msg_cd: 'APBK0013',
    msg1: '주문 전송 완료 되었습니다.'.padEnd(80),
    output: { KRX_FWDG_ORD_ORGNO: '06010', ODNO, ORD_TMD: '100000' },
  }),
})
