import { expect, test } from 'vitest'
import { lotOf } from '../../test/lots.ts'
import { byMonth, byStock } from './summary.ts'
import { askInParts } from './ask-broker.ts'

const LOTS = [
  lotOf({ id: 1, sold: '20260131' }),
  lotOf({ id: 2, sold: '20260201', sell: 69_000 }),
  lotOf({ id: 3, code: '000660', sold: '20260201', buy: 200_000, sell: 210_000 }),
  lotOf({ id: 4, sold: '20260201', sell: null }),
]

test('twelve months and the year; what a correction closed is in none', () => {
  const sums = byMonth('2026', LOTS)
  expect(sums.map(({ name }) => name)).toEqual([
    ...Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}`),
    '합계',
  ])
  expect(sums[0]).toMatchObject({ count: 1, buyAmount: 140_000, sellAmount: 142_000, gainAmount: 2_000 })
  expect(sums[1]).toMatchObject({ count: 2, gainAmount: -2_000 + 20_000, netGainAmount: 18_000 - 2 * 326 })
  expect(sums[2]).toMatchObject({ count: 0, buyAmount: 0, netGainAmount: 0 })
  expect(sums[12]).toMatchObject({ count: 3, fee: 126, tax: 852, gainAmount: 20_000, netGainAmount: 20_000 - 978 })
})

test('by stock, the best first, with the same sum', () => {
  const sums = byStock(LOTS)
  expect(sums.map(({ code, name, count }) => [code, name, count])).toEqual([
    ['000660', 'SK하이닉스', 1],
    ['005930', '삼성전자', 2],
    ['', '합계', 3],
  ])
  const { name: _name, ...year } = byMonth('2026', LOTS)[12] ?? { name: '' }
  expect(sums[2]).toMatchObject(year)
})

test('a year without a sale has its rows all the same', () => {
  expect(byMonth('2026', [])).toHaveLength(13)
  expect(byStock([])).toHaveLength(1)
})

test('the broker is asked for a quarter at a time, up to the last day', async () => {
  const asked: string[][] = []
  const day = { buyAmount: 1, sellAmount: 0, gainAmount: 0, fee: 0, tax: 0 }
  const answer = await askInParts(
    async (from, to) => (asked.push([from, to]), { days: [{ date: from, ...day }], sales: [] }),
    '20260101',
    '20260815',
  )
  expect(asked).toEqual([
    ['20260101', '20260331'],
    ['20260401', '20260630'],
    ['20260701', '20260815'],
  ])
  expect(answer).toEqual({ days: asked.map(([date]) => ({ date, ...day })), sales: [] })
})

test('a part that cannot be asked is the answer, and nothing is asked after it', async () => {
  let asked = 0
  const ask = async () => ((asked += 1) === 2 ? '잠시 뒤에 다시 해 주세요.' : { days: [], sales: [] })
  expect(await askInParts(ask, '20260101', '20261231')).toBe('잠시 뒤에 다시 해 주세요.')
  expect(asked).toBe(2)
})
