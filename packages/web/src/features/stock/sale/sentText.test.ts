import { expect, test } from 'vitest'
import { sentText } from './sentText.ts'

const sale = (qty: number, price: number | null) => ({ orderType: 'SELL', qty, price, exchangeCode: 'KRX' }) as const

test.each([
  [[], '걸려 있던 주문 그대로입니다. 새로 낸 주문은 없습니다.'],
  [[sale(6, 146_600)], '매도 6주를 146,600원에(KRX, 879,600원) 주문했습니다.'],
  [[sale(2, null)], '매도 2주를 시장가로(KRX) 주문했습니다.'],
  [
    [sale(1, 151_100), sale(2, 151_100)],
    '매도 주문 2건, 모두 3주: 1주를 151,100원에(KRX, 151,100원), 2주를 151,100원에(KRX, 302,200원) 주문했습니다.',
  ],
])('%j', (orders, text) => expect(sentText({ orders })).toBe(text))

test('more than five orders are counted', () => {
  const text = sentText({ orders: Array.from({ length: 7 }, () => sale(1, 1_000)) })
  expect(text).toContain('매도 주문 7건, 모두 7주: ')
  expect(text).toMatch(/, 그 밖에 2건 주문했습니다\.$/)
  expect(text.match(/1주를/g)).toHaveLength(5)
})
