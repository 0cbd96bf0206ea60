import { createHash } from 'node:crypto'
import type { SimOrder } from '../ledger/account.ts'
import { field, padded, type Call, type Reply } from './call.ts'
import { CONTEXT_WIDTH, pageOf, type Keyed, type Page } from './paging.ts'

const LIST_CHANGED: Reply = {
  status: 200,
  body: { rt_cd: '1', msg_cd: 'SYDB0050', msg1: padded('조회이후에 자료가 변경되었습니다.') },
}

interface OrderPages extends Keyed<SimOrder> {
  /** The whole list is shown again after its last page. */
  readonly twice: boolean
}

/**
 * A page of a list of orders, which goes on changing while it is read. The first context field carries, after the account, what
 * the list was on the first page and how often it was shown to its end; a client that does not send it back is not asked.
 */
export function orderPage(call: Call, rows: readonly SimOrder[], how: OrderPages): Page<SimOrder> | Reply {
  const [, , seen = '', round = '1'] = call.next ? field(call, 'CTX_AREA_FK100').split('^') : []
  const version = versionOf(rows)
  if (seen !== '' && seen !== version && call.broker.assumed.decide('changedListBreaks')) return LIST_CHANGED
  const page = pageOf(call, rows, how)
  const startsOver = how.twice && round === '1' && !page.more && rows.length > 0
  const more = page.more || startsOver
  const { ctx_area_fk100: account, ctx_area_nk100 } = page.context
  const fk = more ? `${account.trim()}${version}^${startsOver ? '2' : round}` : account
  return { rows: page.rows, more, context: { ctx_area_fk100: fk.padEnd(CONTEXT_WIDTH), ctx_area_nk100 } }
}

/** The same text for the same orders in the same state. */
function versionOf(rows: readonly SimOrder[]): string {
  const states = rows.map(({ day, odno, filledCount, remaining }) => `${day}/${odno}/${filledCount}/${remaining}`)
  return createHash('sha256').update(states.join()).digest('hex').slice(0, 8)
}
