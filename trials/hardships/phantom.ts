import { clientsOf, type PersonClient } from './person-client.ts'
import { windDown, type FaultInjection } from './fault-injection.ts'
import { auditAmended } from './amended-audit.ts'
import { seconds, timeUntil } from './waiting.ts'
import { beginBehindProxy, orderIn, type BrokerReply, type SentOrder } from './broker-proxy.ts'

/** A number far from those the broker gives by itself. */
const ODNO = '0009000001'
const SHOWN_TIMEOUT_MS = 60_000

/** The broker says "accepted" and gives a number, but never forwards the order: no list will ever show it. */
export const phantom: FaultInjection = {
  name: 'a phantom order',
  missing: () => null,
  async run({ open }) {
    await using scene = await beginBehindProxy(open)
    const { stage, proxy, server } = scene
    const clients = await clientsOf(stage, server)
    const made = Promise.withResolvers<SentOrder>()
    proxy.intercept = async (call, pass) => {
      const order = orderIn(call)
      if (order?.side !== 'buy') return pass()
      proxy.intercept = null
      made.resolve(order)
      return accepted()
    }
    const working = stage.work(SHOWN_TIMEOUT_MS)
    const order = await made.promise
    const client = clients.find(({ person }) => person.credentials.accountNumber === order.account)
    if (client === undefined) throw new Error('an order of nobody')
    const took = await timeUntil(SHOWN_TIMEOUT_MS, () => isShown(client, order.code), 1_000)
    await working
    if (took === null)
      stage.problems.push(`a phantom order stayed live for ${SHOWN_TIMEOUT_MS / 1_000} s without being shown`)
    await windDown(stage, server)
    // The row rightly holds what the broker replied; the audit must find that it had no fill.
    await auditAmended(stage, (truth, { credentials }) => {
      const model = truth.orders.find(({ change, side }) => change === null && side === 'buy')
      if (credentials.accountNumber !== order.account || model === undefined) return truth
      return { ...truth, orders: [...truth.orders, { ...model, ...order, odno: ODNO }] }
    })
    return [took === null ? 'never shown' : `shown after ${seconds(took)}`]
  },
}

/** The card names the order, or it is no longer called live. */
async function isShown(client: PersonClient, code: string): Promise<boolean> {
  const { blocked, reasons } = await client.stock(code)
  if (reasons.some((reason) => reason.code === 'unlisted')) return true
  const live = (await client.orders()).some(({ orderId }) => orderId === ODNO)
  // Before its reply is booked it is live under our own number only.
  const waiting = (await client.orders()).some((one) => one.code === code && one.orderId.startsWith('local-'))
  return blocked !== null || (!live && !waiting)
}

const accepted = (): BrokerReply => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  body: JSON.stringify({
    rt_cd: '0',
    msg_cd: 'APBK0013',
    msg1: '주문 전송 완료 되었습니다.'.padEnd(80),
    output: { KRX_FWDG_ORD_ORGNO: '06010', ODNO, ORD_TMD: '100000' },
  }),
})
