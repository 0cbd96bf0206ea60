import type { Reply } from '@digger/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { OrderBox } from '../../components/OrderBox.tsx'
import { BrokerHoldings } from './BrokerHoldings.tsx'
import { OrderList } from './OrderList.tsx'
import { cancelNote } from './orderActions.ts'

type Order = Reply<'orders'>[number]

const order = (change: Partial<Order> = {}): Order => ({
  orderId: '0000000100',
  code: '005930',
  name: '삼성전자',
  orderType: 'BUY',
  qty: 3,
  filledQty: 0,
  price: 70_000,
  orderDateTime: '2026-11-20T10:00:00.000+09:00',
  exchangeCode: 'KRX',
  auto: true,
  foreign: false,
  ...change,
})
const byPhone = order({ orderId: '0000000900', auto: false, foreign: true, filledQty: 1, orderDateTime: null })

const textOf = (list: readonly Order[], price: number | null = null): string =>
  renderToStaticMarkup(<OrderList list={list} prices={new Map([['005930', price]])} onClick={() => undefined} />)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')

test('orders made elsewhere stand below our own, and say that they cannot be cancelled here', () => {
  const text = textOf([byPhone, order()])
  expect(text).toMatch(/자동 주문 · 번호 0000000100 .*증권사 앱 등에서 낸 주문 Digger가 낸 주문이 아니라서/)
  expect(text).toContain('증권사 앱에서 취소해 주세요.')
  expect(text).toContain('증권사 앱 등에서 낸 주문 · 번호 0000000900 · 1/3주 체결')
})

test('without any the page says nothing of them', () => {
  expect(textOf([order(), order({ auto: false })])).not.toContain('증권사 앱')
})

test('each order says how far the price is from it; one at the market, or without a price, does not', () => {
  expect(textOf([order()], 70_500)).toContain('지금 값보다 −0.7% · 자동 주문')
  expect(textOf([order({ price: 0 })], 70_500)).not.toContain('지금 값보다')
  expect(textOf([order()])).not.toContain('지금 값보다')
})

test('a merged row says what was paid, and not the rounded average times the shares', () => {
  const text = renderToStaticMarkup(
    <OrderBox {...order({ price: 150_012, qty: 27 })} at={null} amount={4_050_300} onClick={() => undefined} />,
  ).replaceAll(/<[^>]+>/g, '')
  expect(text).toContain('평균 150,012 × 27주 = 4,050,300원')
})

const show = (orderable: Reply<'brokerBalance'>['orderable'], list: Reply<'brokerBalance'>['list'] = []) =>
  renderToStaticMarkup(<BrokerHoldings balance={{ availableAmount: 2_000_000, orderable, list }} />)

test('who compares gains here reads that the broker counts by its average, and what of loans is not Digger’s', () => {
  const held = {
    code: '005930',
    name: '삼성전자',
    price: 0,
    qty: 1,
    availableQty: 1,
    loan: false,
    gainAmount: 0,
    gainRatio: 0,
  }
  const text = show(null, [held, { ...held, availableQty: 0, loan: true }])
  expect(text).toContain('이동평균')
  expect(text).toContain('삼성전자 (신용·대출)')
  expect(text).toContain('신용·대출 주식은 Digger가 장부와 견주지도 팔지도 않습니다.')
  expect(show(null, [held])).not.toContain('신용·대출')
})

test('the broker’s deposit says what it leaves out, and what is left for orders where the broker was asked', () => {
  expect(show(null)).toContain('D+2 예수금')
  expect(show(null)).toContain('증권사에 물은 뒤에 함께 보입니다')
  const asked = show({ amount: 600_000, at: '2026-11-20T10:03:00.000+09:00' })
  expect(asked.replaceAll(/<[^>]+>/g, '')).toContain('미체결 매수를 뺀 현금(26-11-20 10:03:00)')
  expect(asked).toContain('600,000원')
})

test('the cancel of all says of which stock and how many orders, and what stays', () => {
  const list = [order(), order({ orderType: 'SELL' }), order({ orderType: 'SELL' }), byPhone]
  expect(cancelNote(list, '모든 종목')).toBe(
    '모든 종목의 미체결 주문(매수 1건, 매도 2건)을 취소합니다. 증권사 앱 등에서 낸 주문 1건은 그대로 남습니다. 증권사 앱에서 취소해 주세요.',
  )
  expect(cancelNote([order()], '삼성전자')).toBe('삼성전자의 미체결 주문(매수 1건, 매도 0건)을 취소합니다.')
})
