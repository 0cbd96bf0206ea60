import { isLive, type Book, type Order } from '@digger/core'
import type { KisUnreadableHolding, KisUnreadableRow } from '@digger/kis'

/**
 * Why nothing may be concluded from a list of orders without these rows, for people; null: none of them can be an order of
 * this account's book. Its own orders are told by their numbers; one that has no number yet may be any row of its stock.
 */
export function whyRowsMatter(book: Book, rows: readonly KisUnreadableRow[]): string | null {
  const row = rows.find((one) => mayBeOurs(book, one))
  if (row === undefined) return null
  const what = row.odno === null ? `번호를 알 수 없는 ${row.code ?? ''} 주문` : `주문 ${row.odno}`
  return `증권사 목록에서 ${what}의 내용을 읽지 못했습니다. 증권사 앱에서 확인해 주세요.`
}

/** Why the holdings may not be compared with the book without these, for people; null: the book has none of their stocks. */
export function whyHoldingsMatter(book: Book, holdings: readonly KisUnreadableHolding[]): string | null {
  // A stock of the book that is absent from the holdings counts as none held, whether or not the book has shares of it.
  const holding = holdings.find(({ code }) => code === null || book.stocks.has(code))
  if (holding === undefined) return null
  const name = holding.code === null ? '어느 종목' : (book.stocks.get(holding.code)?.name ?? holding.code)
  return `증권사 잔고에서 ${name}의 수량을 읽지 못했습니다. 소수점 주식이 있는지 증권사 앱에서 확인해 주세요.`
}

function mayBeOurs(book: Book, row: KisUnreadableRow): boolean {
  // A change or cancel of an order is no order.
  if (row.originalOdno !== null) return false
  return [...book.orders.values()].some((order) => (row.day ?? order.day) === order.day && mayBe(order, row))
}

function mayBe(order: Order, row: KisUnreadableRow): boolean {
  const isOfItsStock = row.code === null || row.code === order.code
  if (order.odno === null) return isLive(order.status) && isOfItsStock
  // Of an order that is filled to its last share no row has any news.
  if (order.filledCount >= order.count) return false
  return row.odno === null ? isLive(order.status) && isOfItsStock : row.odno === order.odno
}
