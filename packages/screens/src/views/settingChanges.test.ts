import { calls, type Call } from '@digger/contract'
import type { Settings } from '@digger/core'
import { SETTINGS } from '@digger/engine/testing'
import { expect, test } from 'vitest'
import { aboutField } from './fieldNames.ts'
import { settingChanges } from './settingChanges.ts'

test.each<[Partial<Settings>, string]>([
  [{}, ''],
  [{ maxBuyAmount: 5_000_000 }, '최대 매수 금액 없음 → 5,000,000원'],
  [{ autoBuy: true, buyPercent: -0.5 }, '자동 매수 꺼짐 → 켜짐, 매수 비율 -1% → -0.5%'],
  [{ maxBuyPrice: null }, '최고 매수가 70,000원 → 없음'],
])('%j', (changes, text) => {
  const before = { ...SETTINGS, autoBuy: false, maxBuyPrice: 70_000, maxBuyAmount: null, buyPercent: -1 }
  expect(settingChanges(before, { ...before, ...changes })).toBe(text)
})

test('fields are named as people do, of lists with their place; what only programs send keeps its name', () => {
  expect(aboutField(['maxBuyPrice'], '숫자로 넣어 주세요.')).toBe('최고 매수가: 숫자로 넣어 주세요.')
  expect(aboutField(['tradeIds', 3], '정수로 넣어 주세요.')).toBe('tradeIds.3: 정수로 넣어 주세요.')
})

test('every setting that a person types has a name', () => {
  const call: Call = calls.updateStock
  const issues = call.body?.safeParse({}).error?.issues ?? []
  expect(issues.map(({ path }) => aboutField(path, '')).filter((text) => !/^[가-힣0-9]/.test(text))).toEqual([])
  expect(issues.length).toBeGreaterThan(8)
})
