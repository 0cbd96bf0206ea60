import type { StockHistory } from '@digger/contract'
import { describe, expect, test } from 'vitest'
import { newStock } from '../draft.ts'
import { StockRuns, sumOf, worseOf, type Line, type StockLine } from './allStocks.ts'
import { lineNote } from './lineNote.ts'
import { Rehearsal } from './rehearsal.ts'
import { offText, problemOf, savedSettings } from './tried.ts'

const stock = {
  ...newStock('u1', '005930'),
  autoBuy: true,
  autoSell: true,
  maxBuyPrice: 20_000,
  lastBuyPrice: 12_345,
}
const history = (days: readonly string[], prices: readonly number[]): StockHistory => ({
  code: '005930',
  name: '삼성전자',
  kind: 'stock',
  market: 'KOSPI',
  unit: 'day',
  source: 'broker',
  isAdjusted: true,
  adjustedAt: null,
  corrections: [],
  days: [...days],
  open: [...prices],
  high: prices.map((price) => price + 200),
  low: prices.map((price) => price - 200),
  close: [...prices],
  volume: prices.map(() => 1),
  progress: { from: null, to: null, wantedFrom: '20161127', isComplete: false, note: '차례를 기다립니다.' },
})
const DAYS = ['20261102', '20261103', '20261104']

function answering() {
  const rehearsal = new Rehearsal()
  const runs: StockRuns = new StockRuns((request) => queueMicrotask(() => runs.receive(rehearsal.answer(request))))
  return runs
}
const lineOf = async (of: StockHistory) => answering().lineOf(stock, of)
const rowOf = (line: Line | null): StockLine => ({ stock, line })

describe('all stocks', () => {
  test('each is traded by its own settings; what has no bars says why', async () => {
    const runs = answering()
    const done = await runs.lineOf(stock, history(DAYS, [10_000, 9_800, 10_200]))
    expect(done).toMatchObject({ kind: 'done', days: 3 })
    expect(done.kind === 'done' && done.run.both.kind.buys).toBeGreaterThan(0)
    expect(await runs.lineOf(stock, history([], []))).toEqual({ kind: 'none', note: '차례를 기다립니다.' })
  })
  test('bars that contradict themselves fail alone', async () => {
    expect(await lineOf({ ...history(DAYS, [10_000, 9_800, 10_200]), high: [1, 1, 1] })).toEqual({ kind: 'failed' })
  })
  test('sums are of those that are done, lower and higher apart', async () => {
    const done = await lineOf(history(DAYS, [10_000, 9_800, 10_200]))
    if (done.kind !== 'done') throw new Error('not done')
    const { kind, unkind } = done.run.both
    const both = {
      ...done,
      run: { ...done.run, both: { kind: { ...kind, total: 5 }, unkind: { ...unkind, total: -3 } } },
    }
    const rows = [rowOf(both), rowOf(both), rowOf(null), rowOf({ kind: 'failed' })]
    expect(sumOf(rows, ({ total }) => total)).toEqual([-6, 10])
    expect(sumOf([rowOf(null)], ({ total }) => total)).toBeNull()
    expect([rowOf(both), rowOf(null)].map(worseOf(({ total }) => total))).toEqual([-3, null])
  })
  test.each<[Line | null, RegExp]>([
    [null, /차례를 기다립니다/],
    [{ kind: 'failed' }, /불러오지 못했습니다\. 새로 고쳐 주세요/],
    [{ kind: 'none', note: null }, /아직 읽지 못했습니다/],
    [{ kind: 'none', note: '오늘 밤에 읽습니다.' }, /오늘 밤에 읽습니다/],
  ])('a line without figures says why (%#)', (line, says) => {
    expect(lineNote(stock, line)).toMatch(says)
  })
})

describe('settings that are tried', () => {
  test('begin a ladder anew, whatever it stands at now', () => {
    expect(savedSettings(stock)).toMatchObject({ lastBuyPrice: null, maxBuyPrice: 20_000, buyPercent: -1 })
  })
  test('say what is wrong, or off', () => {
    const settings = savedSettings(stock)
    expect([problemOf(null), problemOf(settings), offText(settings)]).toEqual([
      expect.stringContaining('숫자가 아닌 값'),
      null,
      null,
    ])
    expect(problemOf({ ...settings, buyPercent: 1 })).toContain('0보다 작아야')
    expect(offText({ ...settings, autoBuy: false })).toContain('자동 매수가 꺼져')
    expect(offText({ ...settings, autoSell: false })).toContain('자동 매도가 꺼져')
  })
})
