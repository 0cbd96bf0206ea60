import { z } from 'zod'
import { instantOf } from './korean-time.ts'

/** An order as the broker lists it. */
export interface ListedOrder {
  /** Its number without leading zeros. */
  readonly odno: string
  readonly code: string
  readonly side: 'buy' | 'sell'
  readonly count: number
  /** Won; 0 where the type of the order has no price. */
  readonly price: number
  readonly filled: number
  /** When the broker took it, epoch ms, in whole seconds. */
  readonly at: number
}

/** All orders of one day, complete. */
export interface OrderList {
  readonly orders: readonly ListedOrder[]
  /** The broker's time of its last page, epoch ms. */
  readonly at: number
}

/** The list cannot be trusted, or there is none: said, and never taken for orders that are gone. */
export class NotReadable extends Error {
  override readonly name = 'NotReadable'
}

const trimmed = z.string().transform((text) => text.trim())
const whole = trimmed.pipe(z.string().regex(/^\d{1,15}$/, 'a whole number')).transform(Number)
/** Ten digits, padded with zeros or blanks. */
const orderNumber = trimmed
  .pipe(z.string().regex(/^\d{1,20}$/, 'an order number'))
  .transform((text) => text.replace(/^0+(?=\d)/, ''))

const Row = z.object({
  ord_dt: z.string().regex(/^\d{8}$/),
  ord_tmd: z.string().regex(/^\d{6}$/),
  odno: orderNumber,
  /** Of the order that this row changes or cancels; zeros or blanks on an order of its own. */
  orgn_odno: trimmed,
  sll_buy_dvsn_cd: z.enum(['01', '02']),
  pdno: z.string().regex(/^[0-9A-Z]{6,7}$/),
  ord_qty: whole,
  ord_unpr: whole,
  tot_ccld_qty: whole,
})
const Body = z.object({
  rt_cd: z.string(),
  msg_cd: z.string().optional(),
  msg1: z.string().optional(),
  output1: z.array(z.record(z.string(), z.unknown())).optional(),
  ctx_area_fk100: z.string().optional(),
  ctx_area_nk100: z.string().optional(),
})

export interface Page {
  readonly rows: readonly ListedOrder[]
  /** How many rows it had, those of changes and cancels among them. */
  readonly count: number
  readonly cursor: { readonly fk: string; readonly nk: string }
}

/** One page of inquire-daily-ccld. Throws NotReadable for an error, a missing list, and a row with anything odd. */
export function pageOf(reply: unknown, day: string): Page {
  const body = Body.safeParse(reply)
  if (!body.success) throw new NotReadable('the reply has not the form of a reply')
  const { rt_cd, msg_cd = '', msg1 = '', output1, ctx_area_fk100: fk = '', ctx_area_nk100: nk = '' } = body.data
  if (rt_cd !== '0') throw new NotReadable(`the broker answered ${msg_cd} ${msg1.trim()}`)
  // A reply without the array is an error, and no account without orders.
  if (output1 === undefined) throw new NotReadable('the reply has no list of orders')
  return { rows: output1.flatMap((row) => orderOf(row, day)), count: output1.length, cursor: { fk, nk } }
}

function orderOf(fields: Record<string, unknown>, day: string): ListedOrder[] {
  const row = Row.safeParse(fields)
  if (!row.success) {
    const [issue] = row.error.issues
    throw new NotReadable(`a row has an odd ${String(issue?.path[0])}`)
  }
  const { ord_dt, ord_tmd, odno, orgn_odno, sll_buy_dvsn_cd, pdno, ord_qty, ord_unpr, tot_ccld_qty } = row.data
  if (ord_dt !== day) throw new NotReadable(`a row of ${ord_dt} is in the list of ${day}`)
  const at = instantOf(ord_dt, ord_tmd)
  if (Number.isNaN(at)) throw new NotReadable(`order ${odno} has the time ${ord_tmd}`)
  if (!/^0*$/.test(orgn_odno)) return []
  const side = sll_buy_dvsn_cd === '02' ? 'buy' : 'sell'
  return [{ odno, code: pdno, side, count: ord_qty, price: ord_unpr, filled: tot_ccld_qty, at }]
}
