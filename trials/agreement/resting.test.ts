import { describe, expect, test } from 'vitest'
import { missingShares, standstillOf, type StockState } from './resting.ts'

const well: StockState = { code: '005930', blocked: null, frozen: null, stop: 'active', autoSell: true }
const BAND = { lower: 49_000, upper: 91_000 }
const lot = (count: number, target = 70_500) => ({ count, target })
const sale = (remaining: number, more: object = {}) => ({ code: '005930', side: 'sell' as const, remaining, ...more })

describe('what should rest and does not', () => {
  test.each([
    ['nothing held', [], [], null],
    ['all of it rests', [lot(3), lot(2)], [sale(3), sale(2)], null],
    ['all of it in one order', [lot(3), lot(2)], [sale(5)], null],
    ['a lot without an order', [lot(3), lot(2)], [sale(3)], { missing: 2, due: 5 }],
    ['only the rest of an order is there', [lot(3)], [sale(1)], { missing: 2, due: 3 }],
    ['at the lower and the upper limit', [lot(1, 49_000), lot(1, 91_000)], [], { missing: 2, due: 2 }],
    ['a tick beyond either', [lot(1, 48_950), lot(1, 91_100)], [], null],
    ['a sale of another stock', [lot(1)], [sale(1, { code: '000660' })], { missing: 1, due: 1 }],
    ['a buy', [lot(1)], [sale(1, { side: 'buy' })], { missing: 1, due: 1 }],
  ])('%s', (_name, lots, resting, expected) => {
    expect(missingShares(well, lots, BAND, resting)).toEqual(expected)
  })

  test.each<Partial<StockState>>([
    { autoSell: false },
    { stop: 'halt' },
    { blocked: '주문이 세 번 이어서 거절되어 멈췄습니다.' },
    { frozen: { close: 70_000, base: 35_000 } },
  ])('%j: nothing is due', (state) => {
    expect(missingShares({ ...well, ...state }, [lot(1)], BAND, [])).toBe(null)
  })

  test('a stock that only sells: what it holds is due', () => {
    expect(missingShares({ ...well, stop: 'reduce' }, [lot(1)], BAND, [])).toEqual({ missing: 1, due: 1 })
  })
})

test.each<[Partial<StockState>, string | null]>([
  [{}, null],
  [{ blocked: '멈췄습니다.' }, '005930: 멈췄습니다.'],
  [{ frozen: { close: 70_000, base: 35_000 } }, '005930: base moved from 70000 to 35000'],
  [{ stop: 'reduce' }, '005930: reduce'],
])('%j stands still as %s', (state, expected) => {
  expect(standstillOf({ ...well, ...state })).toBe(expected)
})
