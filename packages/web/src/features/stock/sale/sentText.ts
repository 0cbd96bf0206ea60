import type { Sent } from '@digger/contract'
import { number, won } from '../../../format/won.ts'

type Order = Sent['orders'][number]

/** More are counted, not listed. */
const LISTED = 5

/** What a press has sent, in words: shares, price, won and venue of each order. */
export function sentText({ orders }: Sent): string {
  const [first, ...more] = orders
  if (first === undefined) return '걸려 있던 주문 그대로입니다. 새로 낸 주문은 없습니다.'
  if (more.length === 0) return `${sideOf(first)} ${orderText(first)} 주문했습니다.`
  const shares = orders.reduce((sum, { qty }) => sum + qty, 0)
  const listed = orders.slice(0, LISTED).map((order) => orderText(order))
  const rest = orders.length > LISTED ? `, 그 밖에 ${orders.length - LISTED}건` : ''
  return `${sideOf(first)} 주문 ${orders.length}건, 모두 ${number(shares)}주: ${listed.join(', ')}${rest} 주문했습니다.`
}

const sideOf = ({ orderType }: Order): string => (orderType === 'BUY' ? '매수' : '매도')

const orderText = ({ qty, price, exchangeCode }: Order): string =>
  price === null
    ? `${number(qty)}주를 시장가로(${exchangeCode})`
    : `${number(qty)}주를 ${won(price)}에(${exchangeCode}, ${won(price * qty)})`
