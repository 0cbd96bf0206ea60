import { describe, expect, test } from 'vitest'
import { newStock } from './draft.ts'
import { fallToBuy, nextBuyText, nextSaleText } from './distance.ts'
import { isLate, lateLine, lateText, lateTitle } from './lateOrder.ts'
import { reasonText } from './reasons.ts'

const SINCE = '2026-11-20T13:12:00+09:00'
const at = (seconds: number) => Date.parse(SINCE) + seconds * 1_000
const due = { side: 'buy' as const, since: SINCE }
const asking = { side: 'buy' as const, ok: false, code: 'askingCash' as const, text: '증권사에 묻는 중입니다.' }

describe('an order that is due', () => {
  test('is late after thirty seconds, and never where none is due', () => {
    expect([30, 30.001, 86_400].map((seconds) => isLate({ due }, at(seconds)))).toEqual([false, true, true])
    expect(isLate({ due: null }, at(86_400))).toBe(false)
  })
  test.each([
    ['buy', 34, '살 차례인데 34초째 나가지 않았습니다.'],
    ['sell', 60, '팔 차례인데 1분째 나가지 않았습니다.'],
    ['buy', 3_599, '살 차례인데 59분째 나가지 않았습니다.'],
    ['buy', 7_300, '살 차례인데 2시간째 나가지 않았습니다.'],
  ] as const)('a %s after %d s: %s', (side, seconds, text) =>
    expect(lateTitle({ side, since: SINCE }, at(seconds))).toBe(text),
  )
  test('says its cause, what comes then, that there is nothing to do, and since when', () =>
    expect(lateText({ due, reasons: [asking] }, at(34))).toBe(
      '증권사에 묻는 중입니다. 답이 오면 바로 냅니다. 지금 할 일은 없습니다. 13:12:00부터',
    ))
  test('is to be reported after ten minutes', () =>
    expect(lateText({ due, reasons: [asking] }, at(601))).toContain('10분이 넘었습니다. 관리자에게 알려 주세요.'))
  test('has no cause of the other side, nor what is no delay', () => {
    const others = [
      { ...asking, side: 'sell' as const },
      { ...asking, code: 'session' as const },
    ]
    expect(lateText({ due, reasons: others }, at(34))).toBe('지금 할 일은 없습니다. 13:12:00부터')
  })
})

const late = (name: string, side: 'buy' | 'sell' = 'buy') => ({ name, due: { side, since: SINCE } })

describe('the banner of every page', () => {
  test.each([
    [[], ''],
    [[{ name: '카카오', due: null }], ''],
    [[late('카카오')], '카카오 매수 주문이 늦어지고 있습니다.'],
    [[late('카카오'), late('NAVER', 'sell')], '카카오 매수, NAVER 매도 주문이 늦어지고 있습니다.'],
    [[late('가'), late('나'), late('다'), late('라')], '가 매수, 나 매수, 다 매수 주문 등 4건이 늦어지고 있습니다.'],
  ])('%j', (stocks, text) => expect(lateLine(stocks, at(40))).toBe(text))
  test('says nothing of what is due for less', () => expect(lateLine([late('카카오')], at(20))).toBe(''))
})

describe('how far it is', () => {
  const stock = { ...newStock('u1', '005930'), price: 100, nextBuyPrice: 97, nextSellPrice: 103, remainCount: 1 }
  const on = { ...stock, autoBuy: true, autoSell: true }
  test.each([
    [{}, '−3.0%', '+3.0%', 3],
    [{ price: 97, nextSellPrice: 97 }, '지금', '지금', 0],
    [{ price: 90 }, '지금', '+14.4%', 0],
    [{ price: null }, '—', '—', null],
    [{ autoBuy: false, autoSell: false, nextSellPrice: null }, '꺼짐', '꺼짐', null],
    [{ nextBuyPrice: null, remainCount: 0 }, '없음', '없음', null],
    [{ stop: 'reduce' as const }, '멈춤', '+3.0%', null],
    [{ stop: 'halt' as const }, '멈춤', '멈춤', null],
    [{ frozen: { day: '20261120', close: 200, base: 100 } }, '멈춤', '멈춤', null],
    [{ blocked: '장부와 다릅니다.' }, '멈춤', '+3.0%', null],
  ])('%j', (change, buy, sale, fall) => {
    const changed = { ...on, ...change }
    expect([nextBuyText(changed), nextSaleText(changed)]).toEqual([buy, sale])
    expect(fallToBuy(changed)).toBe(fall)
  })
})

describe('a reason', () => {
  const waits = { side: 'buy' as const, ok: false, code: 'aboveNextPrice' as const, text: '97원보다 높아 기다립니다.' }
  test('that waits says how far it is and names no price', () => {
    const text = reasonText(waits, { price: 100, nextBuyPrice: 97 })
    expect(text).toBe('다음 매수까지 −3.0% 남아 기다립니다.')
    expect(text).not.toContain('원')
  })
  test('is the server’s sentence where the price has gone there or is not known', () => {
    for (const price of [null, 97, 90]) expect(reasonText(waits, { price, nextBuyPrice: 97 })).toBe(waits.text)
  })
  test('of what is past has its time', () =>
    expect(
      reasonText(
        { side: 'buy', ok: true, code: 'orderOpen', text: '현재가 97원이 낮습니다.', at: SINCE },
        { price: 100, nextBuyPrice: 90 },
      ),
    ).toBe('11/20 13:12:00 현재가 97원이 낮습니다.'))
})
