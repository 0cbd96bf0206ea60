import { expect, test } from 'vitest'
import { calls } from './calls.ts'
import { HistoryProgress, StockHistory } from './history.ts'

const progress = { from: '20161128', to: '20261126', wantedFrom: '20161127', isComplete: true, note: null }

test('a history is asked for by days unless minutes are named, and its days must be real', () => {
  const { query } = calls.stockHistory
  expect(query.parse({})).toEqual({ unit: 'day' })
  expect(query.parse({ unit: 'minute', fromDate: '20261101' })).toEqual({ unit: 'minute', fromDate: '20261101' })
  for (const wrong of [{ unit: 'week' }, { fromDate: '20260230' }, { toDate: '2026-11-01' }])
    expect(query.safeParse(wrong).success).toBe(false)
})

test('what is not begun has no days, and says for people why', () => {
  const notBegun = { ...progress, from: null, to: null, isComplete: false, note: '아직 모으지 않았습니다.' }
  expect(HistoryProgress.parse(notBegun)).toEqual(notBegun)
  expect(HistoryProgress.safeParse({ ...notBegun, wantedFrom: null }).success).toBe(false)
})

test('the columns of a history are whole won and shares', () => {
  const kept = {
    code: '005930',
    name: '삼성전자',
    kind: 'stock',
    market: 'KOSPI',
    unit: 'day',
    source: 'broker',
    isAdjusted: true,
    adjustedAt: '2026-11-26T20:10:00.000+09:00',
    corrections: [{ day: '20180504', ratio: 0.02 }],
    days: ['20261126'],
    open: [70_000],
    high: [70_500],
    low: [69_900],
    close: [70_400],
    volume: [12_345_678],
    progress,
  }
  expect(StockHistory.parse(kept)).toEqual(kept)
  expect(StockHistory.safeParse({ ...kept, close: [70_400.5] }).success).toBe(false)
  expect(StockHistory.safeParse({ ...kept, market: 'NASDAQ' }).success).toBe(false)
})
