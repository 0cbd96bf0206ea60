import { z } from 'zod'
import type { NetworkSocket } from './machine/network.ts'
import type { SentOrder } from './sent-order.ts'
import { PORTS, type Stage } from './stage.ts'

export type { SentOrder } from './sent-order.ts'

const Body = z.object({
  CANO: z.string(),
  ACNT_PRDT_CD: z.string(),
  PDNO: z.string(),
  ORD_QTY: z.coerce.number(),
  ORD_UNPR: z.coerce.number(),
})
const ORDER = /^POST \/uapi\/domestic-stock\/v1\/trading\/order-cash/
/** Transaction ids that end so are buys: TTTC0802U, TTTC0012U (real), VTTC… (paper). */
const BUY_ID = /tr_id: ?\w{4}(?:0802|0012)U/i

/** Reads orders off the lines between servers and broker, without disturbing them. */
export function tapOrders(stage: Stage, sent: (order: SentOrder) => void): void {
  const begun = new WeakMap<NetworkSocket, string>()
  stage.simulation.network.tap = (socket, bytes) => {
    if (socket.remotePort !== PORTS.broker) return
    const text = (begun.get(socket) ?? '') + bytes.toString('latin1')
    begun.delete(socket)
    if (!ORDER.test(text)) return
    const [head = '', body = ''] = text.split('\r\n\r\n', 2)
    const length = Number(/content-length: ?(\d+)/i.exec(head)?.[1] ?? 0)
    if (body.length < length || length === 0) begun.set(socket, text)
    else sent(orderOf(stage, socket, head, body))
  }
}

function orderOf(stage: Stage, socket: NetworkSocket, head: string, body: string): SentOrder {
  const { CANO, ACNT_PRDT_CD, PDNO, ORD_QTY, ORD_UNPR } = Body.parse(JSON.parse(body))
  return {
    process: socket.process,
    at: stage.simulation.now,
    account: CANO + ACNT_PRDT_CD,
    code: PDNO,
    side: BUY_ID.test(head) ? 'buy' : 'sell',
    count: ORD_QTY,
    price: ORD_UNPR,
  }
}
