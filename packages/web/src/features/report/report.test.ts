import { beforeEach, describe, expect, test } from 'vitest'
import {
  bestAndWorst,
  byMonth,
  byStock,
  everyDay,
  heat,
  inMan,
  isMonth,
  recordText,
  totals,
  weeks,
  type Gain,
  type GainDay,
} from './gains.ts'
import { moneyRows, withoutQuietWeekends } from './moneyRows.ts'

const comparing = () => expect.hasAssertions()
beforeEach(comparing)

const entry = (date: string, depositAmount: number, stockBuyAmount: number, bankBalanceAmount = 0) => ({
  date,
  depositAmount,
  stockBuyAmount,
  bankBalanceAmount,
})
const gain = (buyAmount: number, gainAmount: number): Gain => ({
  buyAmount,
  gainAmount,
  gainRatio: 0,
  netGainAmount: gainAmount - 10,
  sales: 2,
  wins: gainAmount > 10 ? 1 : 0,
  heldMs: 86_400_000,
})
const day = (date: string, buyAmount: number, gainAmount: number): GainDay => ({
  date,
  gain: gain(buyAmount, gainAmount),
  stockGainList: [],
})

describe('gain', () => {
  test('totals add up, and the ratio of nothing bought is 0', () => {
    const days = [day('20261103', 3_000, 60), day('20261102', 1_000, -20)]
    expect(totals(days)).toEqual({
      buyAmount: 4_000,
      gainAmount: 40,
      gainRatio: 1,
      netGainAmount: 20,
      sales: 4,
      wins: 1,
      heldMs: 2 * 86_400_000,
    })
    expect(totals([]).gainRatio).toBe(0)
  })
  test('a month has all its days; those without a sale are empty, not zero', () => {
    const days = everyDay({ fromDate: '20260201', toDate: '20260228' }, [day('20260203', 1, 7)])
    expect(days).toHaveLength(28)
    expect(days.slice(1, 3)).toEqual([
      { date: '20260202', gain: null },
      { date: '20260203', gain: gain(1, 7) },
    ])
  })
  test('a calendar starts on Sunday: 1 November 2026 is one, and the last row is filled up', () => {
    const rows = weeks(everyDay({ fromDate: '20261101', toDate: '20261130' }, []))
    expect(rows).toHaveLength(5)
    expect(rows[0]?.[0]?.date).toBe('20261101')
    expect(rows[4]?.map((cell) => cell?.date ?? null)).toEqual(['20261129', '20261130', null, null, null, null, null])
    expect(weeks([])).toEqual([])
  })
  test('longer ranges are summed by month, oldest first', () => {
    const days = [day('20261103', 1, 5), day('20261030', 1, 2), day('20261001', 1, -4)]
    expect(byMonth(days)).toMatchObject([
      { month: '202610', gain: { gainAmount: -2, netGainAmount: -22 } },
      { month: '202611', gain: { gainAmount: 5 } },
    ])
    expect(isMonth({ fromDate: '20261101', toDate: '20261130' })).toBe(true)
    expect(isMonth({ fromDate: '20261031', toDate: '20261130' })).toBe(false)
  })
})

test('money changes are against the next listed entry; the last one has none', () => {
  expect(moneyRows([entry('20261103', 100, 50, 5), entry('20261101', 120, 20)])).toEqual([
    expect.objectContaining({ totalMoney: 155, depositPlus: -20, stockBuyPlus: 30, totalMoneyPlus: 15 }),
    expect.objectContaining({ totalMoney: 140, depositPlus: null, stockBuyPlus: null, totalMoneyPlus: null }),
  ])
})

const ofDay = (date: string, stocks: [code: string, gainAmount: number][]): GainDay => ({
  ...day(date, 1, 1),
  stockGainList: stocks.map(([code, amount]) => ({ code, name: `name ${code}`, gain: gain(1_000, amount) })),
})

describe('which stock earns', () => {
  test('each once over all days, what brought the most after costs first', () => {
    const days = [
      ofDay('20261103', [
        ['a', 50],
        ['b', 100],
      ]),
      ofDay('20261102', [['a', 60]]),
      ofDay('20261101', [['c', -900]]),
    ]
    expect(byStock(days).map(({ code, gain }) => [code, gain.netGainAmount, gain.sales])).toEqual([
      ['a', 90, 4],
      ['b', 90, 2],
      ['c', -910, 2],
    ])
    expect(byStock([])).toEqual([])
  })
  test('the best and the worst day, which may be the same', () => {
    const [only, other] = [day('20261103', 1, 5), day('20261102', 1, -5)]
    expect(bestAndWorst([other, only])).toEqual({ best: only, worst: other })
    expect(bestAndWorst([only])).toEqual({ best: only, worst: only })
    expect(bestAndWorst([])).toBeNull()
  })
  test('sales, wins and how long it was held, in words', () => {
    expect(recordText(gain(1, 100))).toBe('2번 팔아 1번 이익 · 평균 12.0시간 들고 있었습니다')
    expect(recordText(totals([]))).toBe('판 것이 없습니다')
  })
})

test.each([
  [66_000, '+6.6'],
  [-29_000, '−2.9'],
  [999_400, '+99.9'],
  [1_234_567, '+123'],
  [-56_780_000, '−5678'],
  [99_995_000, '+1.0억'],
  [123_400_000, '+1.2억'],
  [995_000_000, '+10억'],
  [-12_345_678_901, '−123억'],
  [123_456_789_012, '+0.1조'],
  [1_234_567_890_123, '+1.2조'],
  [400, '0'],
  [-499, '0'],
  [0, '0'],
])('%d won in a cell: %s', (amount, text) => expect(inMan(amount)).toBe(text))

test('the colour of a cell is 12 to 58 % of its tone, and none of nothing', () => {
  expect([heat(100, 100), heat(-100, 100), heat(1, 1_000_000), heat(50, 100), heat(0, 100), heat(0, 0)]).toEqual([
    58, 58, 12, 35, 0, 0,
  ])
})

test('a weekend on which nothing moved is left out; one on which something did stays, and so does a quiet Friday', () => {
  // 7 and 8 November 2026 are Saturday and Sunday.
  const days = [
    entry('20261109', 90, 60),
    entry('20261108', 100, 50, 7),
    entry('20261107', 100, 50),
    entry('20261106', 100, 50),
    entry('20261105', 100, 50),
  ]
  expect(withoutQuietWeekends(days).map(({ date }) => date)).toEqual(['20261109', '20261108', '20261106', '20261105'])
  // The oldest of a list stays: what it would repeat is not there.
  expect(withoutQuietWeekends([entry('20261107', 1, 1)])).toHaveLength(1)
})
