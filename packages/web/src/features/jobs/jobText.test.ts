import type { Job } from '@digger/contract'
import { expect, test } from 'vitest'
import { countText, endedOf, leftOut, stateText, touchedText } from './jobText.ts'

const job = (more: Partial<Job> = {}, counts: Partial<Job['counts']> = {}): Job => ({
  id: 1,
  kind: 'check',
  name: '잔고 비교',
  by: 'boss@digger.test',
  at: '2026-11-20T10:00:00.000+09:00',
  cancelledAt: null,
  finishedAt: '2026-11-20T10:01:00.000+09:00',
  total: 10,
  counts: { waiting: 0, running: 0, done: 0, failed: 0, cancelled: 0, ...counts },
  ...more,
})

test.each([
  ['running', job({ finishedAt: null }, { waiting: 5 }), '진행 중'],
  ['cancelled while something runs', job({ finishedAt: null, cancelledAt: 'x' }, { running: 1 }), '멈추는 중'],
  ['cancelled and over', job({ cancelledAt: 'x' }, { done: 3, cancelled: 7 }), '멈춤'],
  ['over with failures', job({}, { done: 8, failed: 2 }), '실패 2명'],
  ['over', job({}, { done: 10 }), '모두 됨'],
])('%s', (_name, given, expected) => expect(stateText(given)).toBe(expected))

test('counts only what there is, and what has ended with it', () => {
  const some = job({}, { done: 4, failed: 1, cancelled: 2, running: 2, waiting: 1 })
  expect(countText(some)).toBe('됨 4명 · 안 됨 1명 · 하지 않음 2명 · 하는 중 2명 · 기다림 1명')
  expect(countText(job({}, { done: 10 }))).toBe('됨 10명')
  expect(countText(job({ total: 0 }))).toBe('사용자 0명')
  expect([endedOf(some), leftOut(some)]).toEqual([7, 3])
})

test('a preview says whom it would touch', () => {
  const preview = {
    kind: 'sell' as const,
    name: '매도',
    what: '',
    users: 5,
    withKey: 4,
    withoutKey: [],
    running: null,
    touched: { users: 3, amount: 12, unit: '보유 종목' },
  }
  expect(touchedText(preview)).toBe('사용자 3명, 보유 종목 12개')
  expect(touchedText({ ...preview, touched: { users: 0, amount: 0, unit: '미체결 주문' } })).toBe('미체결 주문 없음')
  expect(touchedText({ ...preview, touched: null })).toBe('사용자 5명')
})
