import { expect, test } from 'vitest'
import { matching, withNames } from './auditText.ts'

const NAMES = new Map([
  ['005930', '삼성전자'],
  ['Q50012', '신한 레버리지'],
])

test.each([
  ['005930 · 추가', '005930 삼성전자 · 추가'],
  ['Q50012', 'Q50012 신한 레버리지'],
  ['005930 삼성전자 · 추가', '005930 삼성전자 · 추가'],
  ['000000 · 추가', '000000 · 추가'],
  ['한도 1,005,930원', '한도 1,005,930원'],
  ['주문 0059301', '주문 0059301'],
  ['-005930', '-005930'],
  ['', ''],
])('%j reads %j', (detail, text) => expect(withNames(detail, NAMES)).toBe(text))

const line = (by: string, action: string, detail: string) => ({ at: '2026-11-20T10:00:00+09:00', by, action, detail })
const ENTRIES = [
  line('minji@example.com', '로그인', '처음 보는 기기'),
  line('Boss@example.com', '종목 설정 저장', '005930 · 추가'),
  line('minji@example.com', '종목 설정 저장', '000660 · 추가'),
]

test.each([
  ['', [0, 1, 2]],
  ['  ', [0, 1, 2]],
  ['삼성', [1]],
  ['설정 minji', [2]],
  ['boss', [1]],
  ['없는 말', []],
])('%j finds lines %j', (text, found) => expect(matching(ENTRIES, text, NAMES)).toEqual(found.map((at) => ENTRIES[at])))
