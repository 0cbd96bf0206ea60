import { ListChangedError } from '../errors.ts'
import type { Calls, Params } from '../transport/calls.ts'
import { BrokenWalk, readPages, type Pages, type Paging } from '../transport/pages.ts'
import { SIDE_CODE } from '../wire/codes.ts'
import type { EndpointName } from '../wire/endpoints.ts'
import type { RawRow } from './fields.ts'
import type { Oddities } from './oddities.ts'

export interface OrderList {
  readonly calls: Calls
  readonly oddities: Pick<Oddities, 'report'>
  readonly name: EndpointName
  /** For both sides. */
  readonly params: Params
  readonly paging: Paging<RawRow>
}

type ReadRows = Pick<Pages<RawRow>, 'rows' | 'leftAt'>

/**
 * A list of orders that goes on changing while its pages are read. Where it breaks, its sells and its buys are read by
 * themselves: each has half the pages, a day of up to two hundred orders none that could break, and each order is on one of
 * them. It is no list of one instant then. Whoever compares two of them compares each order with itself.
 */
export async function readChangingList(list: OrderList): Promise<ReadRows> {
  try {
    return await readPages(list.calls, list.name, list.params, { ...list.paging, walks: 1 })
  } catch (error) {
    if (!(error instanceof ListChangedError)) throw error
    return await readBySide(list, error)
  }
}

/** Throws what all pages have shown so far, where a side breaks as well. */
async function readBySide(
  { calls, oddities, name, params, paging }: OrderList,
  broken: ListChangedError,
): Promise<ReadRows> {
  const shown = rowsOf(broken)
  const rows: RawRow[] = []
  let leftAt: number | null = null
  const brokenWalk = (error: ListChangedError): BrokenWalk<RawRow> | ListChangedError => {
    const at = broken instanceof BrokenWalk ? broken.leftAt : leftAt
    return at === null ? error : new BrokenWalk([...shown, ...rows, ...rowsOf(error)], at, error)
  }
  for (const side of [SIDE_CODE.sell, SIDE_CODE.buy]) {
    try {
      const read = await readPages(calls, name, { ...params, SLL_BUY_DVSN_CD: side }, paging)
      rows.push(...read.rows)
      leftAt ??= read.leftAt
    } catch (error) {
      throw error instanceof ListChangedError ? brokenWalk(error) : error
    }
  }
  // Orders do not leave the list of a day: sides that lack one are no whole list, whatever the broker means by them.
  const listed = new Set(rows.map(nameOf))
  const lost = shown.find((row) => isOfASide(row) && !listed.has(nameOf(row)))
  if (lost !== undefined) {
    oddities.report(`orders and fills: ${nameOf(lost)} is on the list of both sides, and on that of neither`)
    throw brokenWalk(broken)
  }
  // A row without a side that can be read is on neither list, and must be judged all the same.
  return { rows: [...shown, ...rows], leftAt: leftAt ?? 0 }
}

const rowsOf = (error: ListChangedError): readonly RawRow[] => (error instanceof BrokenWalk ? error.rows : [])

const isOfASide = (row: RawRow): boolean => Object.values<unknown>(SIDE_CODE).includes(row['sll_buy_dvsn_cd'])

const nameOf = (row: RawRow): string => `${String(row['ord_dt'])} ${String(row['ord_gno_brno'])} ${String(row['odno'])}`
