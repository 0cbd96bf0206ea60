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

/** What cannot be read of a row: blank, so that it may be anything, or what no order of Digger's has (a fraction, a side of its own). */
export type Unread = 'blank' | 'foreign'

/** An order of which something cannot be read, as far as it can. */
export interface OddRow {
  /** The first field that cannot. */
  readonly field: string
  readonly odno: string | null
  readonly code: string | null
  readonly side: 'buy' | 'sell' | Unread
  readonly count: number | Unread
  readonly price: number | Unread
}

/** All orders of one day, complete. */
export interface OrderList {
  readonly orders: readonly ListedOrder[]
  /** Not among the orders: whoever knows the journal decides whether the list can be trusted without them. */
  readonly odd: readonly OddRow[]
  /** The broker's time of its last page, epoch ms. */
  readonly at: number
}

/** The list cannot be trusted, or there is none: said, and never taken for orders that are gone. */
export class NotReadable extends Error {
  override readonly name = 'NotReadable'
}

/** It changed while its pages were read: only from its first page on it can be read whole. */
export class ListChanged extends NotReadable {}

const trimmed = z.string().transform((text) => text.trim())
const whole = trimmed.pipe(z.string().regex(/^\d{1,15}$/, 'a whole number')).transform(Number)
/** Ten digits, padded with zeros or blanks. */
const orderNumber = trimmed
  .pipe(z.string().regex(/^\d{1,20}$/, 'an order number'))
  .transform((text) => text.replace(/^0+(?=\d)/, ''))

const issueCode = z.string().regex(/^[0-9A-Z]{6,7}$/)
const side = z.enum(['01', '02']).transform((code) => (code === '02' ? ('buy' as const) : ('sell' as const)))

const Row = z.object({
  ord_dt: z.string().regex(/^\d{8}$/),
  ord_tmd: z.string().regex(/^\d{6}$/),
  odno: orderNumber,
  /** Of the order that this row changes or cancels; zeros or blanks on an order of its own. */
  orgn_odno: trimmed,
  sll_buy_dvsn_cd: side,
  pdno: issueCode,
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
  readonly odd: readonly OddRow[]
  /** How many rows it had, those of changes and cancels among them. */
  readonly count: number
  readonly cursor: { readonly fk: string; readonly nk: string }
}

/** The broker's word for a list that is not the one it was on its first page. */
const CHANGED = 'SYDB0050'

/** One page of inquire-daily-ccld. Throws NotReadable for an error, a missing list, and a row of another day. */
export function pageOf(reply: unknown, day: string): Page {
  const body = Body.safeParse(reply)
  if (!body.success) throw new NotReadable('the reply has not the form of a reply')
  const { rt_cd, msg_cd = '', msg1 = '', output1, ctx_area_fk100: fk = '', ctx_area_nk100: nk = '' } = body.data
  const answer = `the broker answered ${msg_cd} ${msg1.trim()}`
  if (rt_cd !== '0') throw msg_cd === CHANGED ? new ListChanged(answer) : new NotReadable(answer)
  // A reply without the array is an error, and no account without orders.
  if (output1 === undefined) throw new NotReadable('the reply has no list of orders')
  const rows: ListedOrder[] = []
  const odd: OddRow[] = []
  for (const fields of output1.filter((one) => !changesAnother(one))) {
    const row = orderOf(fields, day)
    if ('field' in row) odd.push(row)
    else rows.push(row)
  }
  return { rows, odd, count: output1.length, cursor: { fk, nk } }
}

/** A change or cancel of another order: whatever else is in its row, it is no order. */
function changesAnother({ orgn_odno: original }: Record<string, unknown>): boolean {
  return typeof original === 'string' && !/^0*$/.test(original.trim())
}

function orderOf(fields: Record<string, unknown>, day: string): ListedOrder | OddRow {
  const row = Row.safeParse(fields)
  if (!row.success) return oddRow(fields, String(row.error.issues[0]?.path[0]))
  const { ord_dt, ord_tmd, odno, sll_buy_dvsn_cd, pdno, ord_qty, ord_unpr, tot_ccld_qty } = row.data
  if (ord_dt !== day) throw new NotReadable(`a row of ${ord_dt} is in the list of ${day}`)
  const at = instantOf(ord_dt, ord_tmd)
  if (Number.isNaN(at)) return oddRow(fields, 'ord_tmd')
  return { odno, code: pdno, side: sll_buy_dvsn_cd, count: ord_qty, price: ord_unpr, filled: tot_ccld_qty, at }
}

const oddRow = (fields: Record<string, unknown>, field: string): OddRow => ({
  field,
  odno: orderNumber.safeParse(fields['odno']).data ?? null,
  code: issueCode.safeParse(fields['pdno']).data ?? null,
  side: side.safeParse(fields['sll_buy_dvsn_cd']).data ?? unread(fields['sll_buy_dvsn_cd']),
  count: whole.safeParse(fields['ord_qty']).data ?? unread(fields['ord_qty']),
  price: whole.safeParse(fields['ord_unpr']).data ?? unread(fields['ord_unpr']),
})

const unread = (field: unknown): Unread => (typeof field === 'string' && field.trim() !== '' ? 'foreign' : 'blank')

/**
 * Each order once: a real account was seen to list every row twice over its pages. Between the two it may have been filled,
 * and one that was sent without a price may have got one. Throws NotReadable where two rows of one number are two orders.
 */
export function eachOnce(rows: readonly ListedOrder[]): ListedOrder[] {
  const byNumber = new Map<string, ListedOrder>()
  for (const row of rows) {
    const before = byNumber.get(row.odno)
    if (before !== undefined && !isSameOrder(before, row))
      throw new NotReadable(`the number ${row.odno} stands for two orders`)
    if (before === undefined || row.filled >= before.filled) byNumber.set(row.odno, row)
  }
  return [...byNumber.values()]
}

const isSameOrder = (a: ListedOrder, b: ListedOrder): boolean =>
  a.code === b.code &&
  a.side === b.side &&
  a.count === b.count &&
  a.at === b.at &&
  (a.price === b.price || a.price === 0 || b.price === 0)
