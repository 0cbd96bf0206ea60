import { describe, expect, test } from 'vitest'
import { byMonth, everyDay, isMonth, totals, weeks, type GainDay } from './gains.ts'
import { moneyRows } from './moneyRows.ts'

const entry = (date: string, depositAmount: number, stockBuyAmount: number, bankBalanceAmount = 0) => ({
  date,
  depositAmount,
  stockBuyAmount,
  bankBalanceAmount,
})
const day = (date: string, buyAmount: number, gainAmount: number): GainDay => ({
  date,
  gain: { buyAmount, gainAmount, gainRatio: 0, netGainAmount: gainAmount - 10 },
  stockGainList: [],
})

describe('gain', () => {
  test('totals add up, and the ratio of nothing bought is 0', () => {
    const days = [day('20261103', 3_000, 60), day('20261102', 1_000, -20)]
    expect(totals(days)).toEqual({ buyAmount: 4_000, gainAmount: 40, gainRatio: 1, netGainAmount: 20 })
    expect(totals([]).gainRatio).toBe(0)
  })
  test('a month has all its days; those without a sale are empty, not zero', () => {
    const days = everyDay({ fromDate: '20260201', toDate: '20260228' }, [day('20260203', 1, 7)])
    expect(days).toHaveLength(28)
    expect(days.slice(1, 3)).toEqual([
      { date: '20260202', gain: null },
      { date: '20260203', gain: 7 },
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
    expect(byMonth(days)).toEqual([
      { month: '202610', gain: -2 },
      { month: '202611', gain: 5 },
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
