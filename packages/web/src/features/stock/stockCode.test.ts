import { expect, test } from 'vitest'
import { stockCodeOf, stockCodeProblem } from './stockCode.ts'

test.each([
  ['005930', '005930'],
  [' q50012 ', 'Q50012'],
  ['００５９３０', '005930'],
])('%j is the code %s', (text, code) => {
  expect([stockCodeProblem(text), stockCodeOf(text)]).toEqual([null, code])
})

test.each([
  ['삼성전자', /이름으로는/],
  ['삼성전자우 005935', /이름으로는/],
  ['NAVER', /6자리입니다/],
  ['5930', /6자리입니다/],
  ['0059301', /6자리입니다/],
])('%j is none', (text, says) => expect(stockCodeProblem(text)).toMatch(says))
