import type { FirstDays } from '@digger/contract'
import { expect, test } from 'vitest'
import { isLooserRule, progressText, ruleText } from './firstDaysText.ts'

const RULE: FirstDays = { on: true, days: 5, amount: 1_000_000, startedOn: null, usedDays: 0, pending: null }

test.each<[Partial<FirstDays>, string, string]>([
  [{}, '첫 5거래일, 한 번에 1주, 하루 1,000,000원까지', '첫 매수가 나가는 날부터 셉니다.'],
  [{ startedOn: '20261123' }, '첫 5거래일', '2026-11-23에 시작해 오늘 1일째입니다.'],
  [{ startedOn: '20261123', usedDays: 4 }, '첫 5거래일', '오늘 5일째입니다.'],
  // Until the next day is opened.
  [{ startedOn: '20261123', usedDays: 5 }, '첫 5거래일', '오늘 5일째입니다.'],
  [{ days: null, startedOn: '20261123', usedDays: 9 }, '직접 풀 때까지, 한 번에 1주', '2026-11-23에 시작했습니다.'],
  [{ on: false }, '쓰지 않음', '없음'],
])('%j reads %s, %s', (change, rule, progress) => {
  const shown = { ...RULE, ...change }
  expect(ruleText(shown)).toContain(rule)
  expect(progressText(shown) ?? '없음').toContain(progress)
})

test.each<[Partial<FirstDays>, Partial<FirstDays>, boolean]>([
  [{}, {}, false],
  [{}, { on: false }, true],
  [{}, { amount: 1_000_001 }, true],
  [{}, { amount: 999_999 }, false],
  [{}, { days: 4 }, true],
  [{}, { days: 6 }, false],
  [{}, { days: null }, false],
  [{ days: null }, { days: 60 }, true],
  [{ on: false }, { amount: 9_000_000, days: 1 }, false],
])('%j in force, %j wanted: looser %s', (now, wanted, looser) =>
  expect(isLooserRule({ ...RULE, ...now }, { ...RULE, ...wanted })).toBe(looser),
)
