import { remainCount } from '../ladder/buy.ts'
import { grouped } from '../ladder/text.ts'
import { orderKey } from './end-order.ts'
import { wasRestored } from './other-server-state.ts'
import { liveOrders } from './step-builder.ts'
import type { Proposal } from './step-types.ts'
import type { Account, Stranger } from './view.ts'

/** A sell is of lots of the book, whole, and of none that a buy still fills. */
export function refuseUnbooked({ stock, side, count, lotIds }: Proposal): string | null {
  if (side === 'buy') return null
  const lots = stock.lots.filter((lot) => lotIds.includes(lot.id) && lot.buyOrderId === null)
  return lots.length === lotIds.length && remainCount(lots) === count ? null : '장부에 없는 주식은 팔지 않습니다.'
}

/**
 * Shares that a person offers in the broker's app are locked there: an automatic sale of them would be refused, and three of
 * those stop the stock. Only where the book knows how many there are; what else there may be nobody has counted.
 */
export function refuseLocked(account: Account, { stock, side, origin, count }: Proposal): string | null {
  if (side === 'buy' || origin === 'person' || !isCounted(account, stock)) return null
  const locked = lockedElsewhere(account, stock.issue.code)
  if (locked === 0) return null
  const sells = liveOrders(account.book, stock.issue.code).filter((order) => order.side === 'sell')
  const offered = sells.reduce((sum, order) => sum + order.count - order.filledCount, 0)
  if (remainCount(stock.lots) + stock.kept - locked - offered >= count) return null
  return `증권사 앱에서 낸 매도 주문이 ${grouped(locked)}주를 잡고 있어, 그 주문이 끝나면 겁니다.`
}

/**
 * Of a book that was put back from a backup: what rests at the broker since then is none of its orders, and most likely the very one that
 * the rules ask for again. Its side of the stock waits until it is over.
 */
export function refuseBesideUnknown({ book, view }: Account, { stock, side, origin }: Proposal): string | null {
  const { known } = book.otherServer
  if (origin === 'person' || !wasRestored(book.otherServer)) return null
  const isInTheWay = (one: Stranger): boolean =>
    one.side === side &&
    one.code === stock.issue.code &&
    one.remainingCount > 0 &&
    known.includes(orderKey(one.day, one.odno))
  const other = [...view.orders.strangers.values()].find(isInTheWay)
  if (other === undefined) return null
  const [what, not] = side === 'buy' ? ['매수', '사지'] : ['매도', '자동으로 팔지']
  return `백업 뒤에 낸 ${what} 주문(${other.odno}번)이 증권사에 걸려 있어, 끝나거나 증권사 앱에서 취소할 때까지 ${not} 않습니다.`
}

/** A day order of yesterday locks nothing, though no list was read since. */
function lockedElsewhere({ book, view }: Account, code: string): number {
  let locked = 0
  for (const one of view.orders.strangers.values())
    if (one.code === code && one.side === 'sell' && one.day === book.day) locked += one.remainingCount
  return locked
}

/** What only buys were refused for says nothing of how many shares there are. */
const isCounted = ({ view }: Account, { blocked, issue }: Proposal['stock']): boolean =>
  (blocked === null || blocked.buysOnly === true) &&
  !view.stocks.suspectedMismatches.has(issue.code) &&
  !view.stocks.strangerFillsSince.has(issue.code)
