import type { BuyQuote } from '@digger/contract'
import { describe, expect, test } from 'vitest'
import {
  amountProblem,
  amountText,
  buyButtonText,
  buyNotes,
  buyQueryOf,
  cashLines,
  kindText,
  worstText,
} from './buyForm.ts'

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
  cash: 2_000_000,
  cashAt: '2026-11-20T09:58:00+09:00',
  buyable: 9,
}

test.each(['', '0', '-5', '1.5', '칠', ' '])('“%s” is no amount', (text) => {
  expect(amountProblem(text)).toBe('금액을 만원 단위 숫자로 넣어 주세요.')
  expect([buyQueryOf(text), amountText(text)]).toEqual([null, ''])
})

test.each([
  ['100', '1,000,000원어치를 삽니다.'],
  ['1', '10,000원어치를 삽니다.'],
  ['1,000', '10,000,000원어치를 삽니다.'],
])('“%s” goes out as typed and means %s', (text, says) => {
  expect(buyQueryOf(text)).toEqual({ amount: text })
  expect(amountText(text)).toBe(says)
})

test.each([
  [{}, '시장가', '6주 시장가에 매수 · 지금 158,000원'],
  [{ type: 'best' as const }, '최유리 지정가', '6주 최유리에 매수 · 지금 158,000원'],
  [{ type: 'limit' as const, price: 158_000 }, '지정가 158,000원', '6주 158,000원에 매수'],
  [{ type: null, qty: 0, lastPrice: null }, '—', '매수'],
])('%j is %s', (change, kind, button) => {
  expect(kindText({ ...QUOTE, ...change })).toBe(kind)
  expect(buyButtonText({ ...QUOTE, ...change })).toBe(button)
})

test('shares, price and won at worst add up; without an order there is none', () => {
  expect(worstText(QUOTE)).toBe('6주 × 206,000 = 1,236,000원')
  expect(worstText({ ...QUOTE, qty: 0, worstPrice: null, worstAmount: null })).toBe('—')
})

test('cash left is what is known less the worst; unknown cash is said to be unknown', () => {
  expect(cashLines(QUOTE)).toEqual({ now: '2,000,000원', left: '764,000원' })
  expect(cashLines({ cash: 1_000_000, worstAmount: 1_000_001 }).left).toBe('1원 모자람')
  expect(cashLines({ cash: null, worstAmount: 5 })).toMatchObject({ now: expect.stringContaining('모름'), left: '—' })
})

describe('what is to be known before the press', () => {
  test.each([
    [{}, [], ['상한가로 셈했습니다']],
    [{ type: 'limit' as const, price: 158_000 }, [], []],
    [{ type: 'limit' as const, price: 158_000, isPriceOld: true }, [], ['그 값에 지정가로']],
    [{ type: 'limit' as const }, ['warning' as const, 'caution' as const], ['투자경고 종목']],
    [{ type: 'limit' as const }, ['overheated' as const, 'interrupted' as const], ['30분마다', 'VI로']],
    [{ type: 'limit' as const, qty: 10 }, [], ['09:58에 물은 현금으로는 9주까지']],
    [{ type: 'limit' as const, qty: 9 }, [], []],
  ])('%j with %j: %j', (change, statuses, notes) => {
    const texts = buyNotes({ ...QUOTE, ...change }, statuses, '09:58')
    expect(texts).toHaveLength(notes.length)
    for (const [at, note] of notes.entries()) expect(texts[at]).toContain(note)
  })
})
