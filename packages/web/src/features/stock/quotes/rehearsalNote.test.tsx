import type { BuyQuote } from '@digger/contract'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { BuyButtons } from '../buy/BuyButtons.tsx'

const QUOTE: BuyQuote = {
  refusal: null,
  qty: 6,
  type: 'market',
  price: null,
  worstPrice: 206_000,
  worstAmount: 1_236_000,
  exchangeCode: 'KRX',
  isPriceOld: false,
  lastPrice: 158_000,
  priceAt: '2026-11-20T10:00:00+09:00',
  priceAgeMs: 800,
  cash: null,
  cashAt: null,
  buyable: null,
}
const STOCK = { userId: 'u', code: '005930', name: '삼성전자', price: 1, statuses: [], statusesAt: null }
const shown = (over: Partial<BuyQuote> = {}): string =>
  renderToStaticMarkup(
    <BuyButtons
      stock={STOCK}
      query={{ amount: '100' }}
      quoted={{ quote: { ...QUOTE, ...over }, isCurrent: true, problem: null }}
      wrong={null}
      onClose={() => undefined}
    />,
  )

test('beside the button of a rehearsal stands that nothing is sent, and nowhere else', () => {
  expect(shown({ shadow: true })).toContain('연습: 보내지 않습니다.')
  expect(shown({ shadow: true })).toContain('보이는 현금은 실제 계좌의 것이라')
  expect(shown()).not.toContain('연습')
})
