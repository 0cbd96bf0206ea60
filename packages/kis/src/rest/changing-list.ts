import { ListChangedError } from '../errors.ts'
import { BrokenWalk, readPages, type Pages, type Paging } from '../transport/pages.ts'
import type { Params } from '../transport/calls.ts'
import { LIST_REFUSAL, SIDE_CODE } from '../wire/codes.ts'
import type { EndpointName } from '../wire/endpoints.ts'
import type { RestContext } from './context.ts'
import type { RawRow } from './fields.ts'

/** A side that broke costs two seconds more; a reading given up costs the whole of it, and the wait before the next. */
const MAX_SIDE_WALKS = 4

interface OrderList {
  readonly name: EndpointName
  /** For both sides. */
  readonly params: Params
  readonly paging: Paging<RawRow>
}

type ReadRows = Pick<Pages<RawRow>, 'rows' | 'leftAt'>

/** What pages of the list of both sides have shown. */
interface Shown {
  readonly rows: readonly RawRow[]
  /** Null where there was none. */
  readonly leftAt: number | null
}

/**
 * A list of orders that goes on changing while its pages are read. Where it broke, its sells and its buys are read by
 * themselves: each has half the pages, a day of up to two hundred orders none that could break, and each order is on one of
 * them. It is no list of one instant then. Whoever compares two of them compares each order with itself.
 */
export async function readChangingList(kis: RestContext, list: OrderList): Promise<ReadRows> {
  const { name, params, paging } = list
  const question = `${name} ${JSON.stringify(params)}`
  if (kis.brokenLists.has(question)) {
    const newest = await readPages(kis.calls, name, params, { ...paging, pages: 1 })
    return newest.isWhole ? newest : readBySide(kis, list, newest)
  }
  try {
    return await readPages(kis.calls, name, params, { ...paging, walks: 1 })
  } catch (error) {
    if (!(error instanceof ListChangedError)) throw error
    kis.brokenLists.add(question)
    return readBySide(kis, list, shownBy(error))
  }
}

/** Throws what all pages have shown so far, where a side breaks as well. */
async function readBySide(kis: RestContext, { name, params, paging }: OrderList, shown: Shown): Promise<ReadRows> {
  const rows: RawRow[] = []
  let leftAt: number | null = null
  const broken = (error: ListChangedError): ListChangedError => {
    const at = shown.leftAt ?? leftAt
    return at === null ? error : new BrokenWalk([...shown.rows, ...rows, ...shownBy(error).rows], at, error)
  }
  for (const side of [SIDE_CODE.sell, SIDE_CODE.buy]) {
    try {
      const read = await readPages(
        kis.calls,
        name,
        { ...params, SLL_BUY_DVSN_CD: side },
        {
          ...paging,
          walks: MAX_SIDE_WALKS,
        },
      )
      rows.push(...read.rows)
      leftAt ??= read.leftAt
    } catch (error) {
      throw error instanceof ListChangedError ? broken(error) : error
    }
  }
  // Orders do not leave the list of a day: sides that lack one are no whole list, whatever the broker means by them.
  const listed = new Set(rows.map(nameOf))
  const lost = shown.rows.find((row) => isOfASide(row) && !listed.has(nameOf(row)))
  if (lost !== undefined) {
    kis.oddities.report(`orders and fills: ${nameOf(lost)} is on the list of both sides, and on that of neither`)
    throw broken(new ListChangedError('매도와 매수의 주문 목록이 전체 목록과 맞지 않습니다.', LIST_REFUSAL.changed))
  }
  // A row without a side that can be read is on neither list, and must be judged all the same: the newest page has it.
  return { rows: [...shown.rows, ...rows], leftAt: leftAt ?? kis.now() }
}

const shownBy = (error: ListChangedError): Shown =>
  error instanceof BrokenWalk ? { rows: error.rows, leftAt: error.leftAt } : { rows: [], leftAt: null }

const isOfASide = (row: RawRow): boolean => Object.values<unknown>(SIDE_CODE).includes(row['sll_buy_dvsn_cd'])

const nameOf = (row: RawRow): string => `${String(row['ord_dt'])} ${String(row['ord_gno_brno'])} ${String(row['odno'])}`
