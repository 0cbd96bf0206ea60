import { describe, expect, test } from 'vitest'
import { newStock } from '../draft.ts'
import { chartRangeOf, spanOf } from './chartRanges.ts'
import { chartPrices } from './priceLines.ts'

const stock = { ...newStock('u1', '005930'), price: 150_000, nextBuyPrice: 146_100, maxBuyPrice: 192_300 }
const last = { time: '20261120', open: 150_000, high: 153_700, low: 149_000, close: 151_000 }

describe('a simulated price', () => {
  // As the server answers it: the stock has the simulated price as its own.
  const simulated = chartPrices({ ...stock, price: 160_000 }, [], last, 160_000)
  test('never touches a candle', () => expect(simulated.live).toBeNull())
  test('is a dashed tag beside the close that really was', () => {
    expect(simulated.tags.filter(({ dashed }) => dashed === true)).toMatchObject([{ name: '가상', price: 160_000 }])
    expect(simulated.tags[0]).toMatchObject({ name: '종가', price: 151_000, tone: 'now' })
    expect(simulated.tags.some(({ name }) => name === '현재')).toBe(false)
  })
})

test('the newest candle moves with the price that is there', () => {
  const { live, tags } = chartPrices(stock, [], last, undefined)
  expect(live).toBe(150_000)
  expect(tags.map(({ name, price }) => [name, price])).toEqual([
    ['현재', 150_000],
    ['다음 매수', 146_100],
    ['최고 매수가', 192_300],
  ])
})

test('without any price of now the close stands for it', () =>
  expect(chartPrices({ ...stock, price: null }, [], last, undefined)).toMatchObject({
    live: null,
    tags: [{ name: '종가' }, {}, {}],
  }))

describe('ranges', () => {
  const days = Array.from({ length: 100 }, (_, at) => {
    const time = new Date(Date.UTC(2026, 7, 13 + at)).toISOString().slice(0, 10).replaceAll('-', '')
    return { ...last, time }
  })
  test.each([
    ['week', 7],
    ['month', 31],
    ['quarter', 92],
    ['minute', 100],
  ] as const)('%s begins with its newest %d', (range, count) => expect(spanOf(range, days)).toBe(count))
  test('an unknown one is three months', () =>
    expect([chartRangeOf('year'), chartRangeOf('week')]).toEqual(['quarter', 'week']))
})
