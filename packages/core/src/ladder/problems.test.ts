import { expect, test } from 'vitest'
import type { Settings } from './types.ts'
import { settingsProblems } from './problems.ts'
import { EXAMPLE } from '../../test/settings.ts'

const off = { autoBuy: false, autoSell: false }
test.each<[string, Partial<Settings>, string]>([
  ['the example is fine', {}, ''],
  ['no highest buy price', { maxBuyPrice: null }, 'maxBuyPrice'],
  ['a highest buy price of 0', { maxBuyPrice: 0 }, 'maxBuyPrice'],
  ['a highest buy price of 1', { maxBuyPrice: 1 }, ''],
  ['no cap: never without an amount', { maxBuyAmount: null }, 'maxBuyAmount'],
  ['a cap of 0', { maxBuyAmount: 0 }, 'maxBuyAmount'],
  ['no unit', { buyUnitPrice: null }, 'buyUnitPrice'],
  ['a unit of 0', { buyUnitPrice: 0 }, 'buyUnitPrice'],
  ['a unit of 1: one share', { buyUnitPrice: 1 }, ''],
  ['buying without a drop', { buyPercent: 0 }, 'buyPercent'],
  ['buying on the way up', { buyPercent: 0.01 }, 'buyPercent'],
  ['the smallest usual drop', { buyPercent: -0.01 }, ''],
  ['several at once', { maxBuyPrice: null, buyPercent: 1 }, 'maxBuyPrice buyPercent'],
  [
    'none of these bind while autoBuy is off',
    { autoBuy: false, maxBuyPrice: null, buyPercent: 0, buyUnitPrice: 0 },
    '',
  ],
  ['selling without a gain', { sellPercent: 0 }, 'sellPercent'],
  ['selling at a loss', { sellPercent: -1 }, 'sellPercent'],
  ['which does not bind while autoSell is off', { autoSell: false, sellPercent: -1 }, ''],
  ['a lowest sell price without a price', { useMinSellPrice: true }, 'minSellPrice'],
  ['a lowest sell price of 0', { useMinSellPrice: true, minSellPrice: 0 }, 'minSellPrice'],
  ['a lowest sell price', { useMinSellPrice: true, minSellPrice: 1 }, ''],
  ['half a won', { ...off, minSellPrice: 0.5 }, 'minSellPrice'],
  ['a negative price', { ...off, lastBuyPrice: -1 }, 'lastBuyPrice'],
  ['more than a trillion', { ...off, maxBuyAmount: 1_000_000_000_001 }, 'maxBuyAmount'],
  ['too fine a percent', { ...off, sellPercent: 1.00001 }, 'sellPercent'],
  ['the whole price away', { ...off, buyPercent: -100 }, 'buyPercent'],
  ['not a number', { ...off, buyPercent: Number.NaN }, 'buyPercent'],
])('%s', (_name, change, fields) => {
  const problems = settingsProblems({ ...EXAMPLE, ...change })
  expect(problems.map((problem) => problem.field).join(' ')).toBe(fields)
  expect(problems.filter(({ text }) => !/[가-힣].*다\.|[가-힣].*요\./.test(text))).toEqual([])
})
