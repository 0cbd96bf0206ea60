import { expect, test } from 'vitest'
import { agoText, oldPriceText } from './oldPrice.ts'

test.each([
  [null, null],
  [0, null],
  [60_000, null],
  [60_001, '1분'],
  [179_999, '2분'],
  [3_599_999, '59분'],
  [3_600_000, '1시간'],
  [47 * 3_600_000, '47시간'],
  [48 * 3_600_000, '2일'],
])('a price of %s ms ago: %s', (ageMs, ago) => {
  const text = `시세가 ${ago} 전 것입니다. 지금 값은 다를 수 있습니다. 그래도 주문하려면 한 번 더 눌러 주세요.`
  expect(oldPriceText(ageMs)).toBe(ago === null ? null : text)
})

test.each([
  [0, '방금'],
  [60_000, '방금'],
  [60_001, '1분 전'],
  [90 * 60_000, '1시간 전'],
])('%i ms: %s', (ms, text) => expect(agoText(ms)).toBe(text))
