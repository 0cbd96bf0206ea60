import type { ShadowOrder } from '@digger/contract'
import { expect, test } from 'vitest'
import { fateOf, realStartText, whyOf } from './shadowText.ts'

const order: ShadowOrder = {
  orderId: 'S1',
  code: '005930',
  name: '삼성전자',
  orderType: 'BUY',
  orderDateTime: '2026-11-20T10:00:00+09:00',
  qty: 3,
  price: 70_000,
  exchangeCode: 'KRX',
  live: true,
  filledQty: 0,
  filledAmount: 0,
  auto: true,
  why: '',
  updatedAt: '2026-11-20T10:00:00+09:00',
}

test.each<[Partial<ShadowOrder>, string]>([
  [{}, '걸려 있었을 주문'],
  [{ live: false }, '체결되지 않고 끝났을 주문'],
  [{ live: false, filledQty: 3, filledAmount: 210_000 }, '210,000원에 체결됐을 주문'],
  [{ filledQty: 1, filledAmount: 70_000 }, '1/3주 70,000원에 체결됐을 주문'],
])('%j: %s', (over, text) => {
  expect(fateOf({ ...order, ...over })).toBe(text)
})

const reason = (side: 'buy' | 'sell', ok: boolean, text: string) => ({ side, ok, code: 'resting', text }) as const

test('of each side one reason is told: what keeps it from happening first', () => {
  const [rests, asks, no] = [
    reason('sell', true, '팝니다'),
    reason('buy', true, '삽니다'),
    reason('buy', false, '안 삽니다'),
  ]
  expect(whyOf([rests, asks, no])).toEqual([no, rests])
  expect(whyOf([asks])).toEqual([asks])
})

test('before a stock is traded for real, what would leave at once is named', () => {
  expect(realStartText({ atOnce: [], atOpening: [] })).toMatch(
    /^지금 가격으로 바로 나갈 주문은 없습니다\. 설정과 실제 보유는/,
  )
  const atOnce = [
    { orderType: 'SELL', qty: 1_200, price: 70_900 },
    { orderType: 'BUY', qty: 2, price: 69_000 },
  ] as const
  expect(realStartText({ atOnce: [...atOnce], atOpening: [] })).toMatch(
    /^지금 가격으로 바로 나갈 주문 2건: 매도 1,200주 70,900원, 매수 2주 69,000원\. /,
  )
})

test('while no session is open, what leaves at the next opening is named apart', () => {
  const atOpening = [{ orderType: 'SELL', qty: 2, price: 70_900 } as const]
  expect(realStartText({ atOnce: [], atOpening })).toMatch(
    /바로 나갈 주문은 없습니다\. 다음 장이 열릴 때 값이 지금과 같으면 나갈 주문 1건: 매도 2주 70,900원\. 설정과/,
  )
})

test('many are counted, and the first of them named', () => {
  const atOnce = Array.from({ length: 15 }, () => ({ orderType: 'SELL', qty: 1, price: 70_900 }) as const)
  const text = realStartText({ atOnce, atOpening: [] })
  expect(text).toContain('바로 나갈 주문 15건: ')
  expect([text.match(/매도 1주/g)?.length, text.includes(' 외 5건. ')]).toEqual([10, true])
})
