import { expect, test } from 'vitest'
import { draftOf, newStock, settingsOf, type Draft } from './draft.ts'
import { comingBuys, saleText, worstText } from './nextOrders.ts'

const stock = { ...newStock('u1', '005930'), maxBuyPrice: 75_000, lastBuyPrice: 70_000, autoBuy: true }
const settings = (change: Partial<Draft> = {}) => {
  const read = settingsOf({ ...draftOf(stock), buyUnitPrice: '200,000', ...change })
  if (read === null) throw new Error('not a number')
  return read
}
const at = (price: number | null) => ({ ...stock, price })

test('the coming buys of 70,000 at −1 % are the steps of the ladder', () => {
  expect(comingBuys(settings(), at(70_500)).slice(0, 3)).toEqual([
    { price: 69_300, count: 2, now: false },
    { price: 68_600, count: 2, now: false },
    { price: 67_900, count: 2, now: false },
  ])
  expect(comingBuys(settings({ maxBuyPrice: '' }), at(70_500))).toEqual([])
})

test('a price that is that low already is the first buy, now; the next are below it and not where they were', () => {
  const [first, second] = comingBuys(settings(), at(68_000))
  expect(first).toEqual({ price: 68_000, count: 2, now: true })
  expect(second).toEqual({ price: 67_300, count: 2, now: false })
  expect(comingBuys(settings({ autoBuy: false }), at(68_000))[0]?.now).toBe(false)
  expect(comingBuys(settings({ lastBuyPrice: '', maxBuyPrice: '200,000' }), at(152_800))[0]?.price).toBe(152_800)
})

test('an ETF goes down by its own ticks of 5 won, where a share of that price has 50', () => {
  const typed = settings({ lastBuyPrice: '41,235', maxBuyPrice: '50,000' })
  // 41,235 × 0.99 = 40,822.65
  expect(comingBuys(typed, { ...at(null), kind: 'etf' })[0]?.price).toBe(40_820)
  expect(comingBuys(typed, at(null))[0]?.price).toBe(40_800)
})

test('the worst case says at which fall the money is as good as gone, and not where the last share fits', () => {
  const text = worstText(settings({ buyPercent: '-0.2', maxBuyAmount: '4,100,000' }), at(70_000))
  expect(text).toBe(
    '앞으로 27번, 4,100,000원어치 62주를 더 삽니다. 지금 가격에서 7.4% 내린 64,800원에서 한도의 99%를 다 씁니다.',
  )
  expect(worstText(settings({ maxBuyPrice: '' }), at(70_000))).toBe('더 사지 않습니다.')
})

test('a sale says what stays of it; below its costs that is a loss', () => {
  const day = '20261127'
  expect(saleText(settings({ sellPercent: '1.2' }), at(70_000), day)).toMatch(
    /^70,000원에 산 2주는 70,900원에 팝니다\. 비용을 빼고 \+1,4\d\d원이 남습니다\.$/,
  )
  expect(saleText(settings({ sellPercent: '0.1' }), at(70_000), day)).toContain('−')
  expect(saleText(settings({ autoSellWithAvgPrice: true }), at(70_000), day)).toBe('자동으로 팔 주식이 없습니다.')
  const held = { ...at(70_000), remainCount: 3, remainAmount: 210_000 }
  expect(saleText(settings({ autoSellWithAvgPrice: true }), held, day)).toMatch(
    /^3주를 70,900원에 한 번에 팝니다\. 비용을 빼고 \+\d/,
  )
})
