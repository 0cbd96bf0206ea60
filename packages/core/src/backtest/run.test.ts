import { expect, test } from 'vitest'
import { backtestBothWays } from './backtest.ts'
import { barsOf } from './bars.ts'
import { closingCosts, holdingGain } from './result.ts'
import { runOf } from './run.ts'

const settings = {
  maxBuyPrice: 10_000,
  maxBuyAmount: 10_000_000,
  buyUnitPrice: 100_000,
  lastBuyPrice: null,
  recoverLastBuyPrice: true,
  autoBuy: true,
  buyPercent: -1,
  autoSell: true,
  sellPercent: 50,
  useMinSellPrice: false,
  minSellPrice: null,
  autoSellWithAvgPrice: false,
}
const days = ['20261116', '20261117', '20261118', '20261119']
const closes = [10_000, 9_000, 12_000, 12_000]
const bars = barsOf(
  { days, open: closes, high: closes, low: closes, close: closes },
  { kind: 'stock', market: 'KOSPI' },
)

test('a run is told with its worst day, with what holding would have brought, and what closing would cost', () => {
  const both = backtestBothWays(bars, settings)
  const { kind } = runOf(bars, settings).both
  expect(kind).toEqual({
    ...both.kind,
    worstDay: '20261117',
    holding: holdingGain(bars, both.kind.mostIn),
    closing: closingCosts(bars, both.kind.shares),
  })
  expect([kind.shares > 0, kind.closing > 0, kind.holding > 0]).toEqual([true, true, true])
})

test.each([
  ['on half of the days', 10_000, 50],
  ['on none', 12_000, 0],
  ['never reached', 8_999, 100],
  ['reached on the won', 9_000, 75],
  ['not set', null, 0],
])('the price stays above the highest price to buy at: %s', (_, maxBuyPrice, above) => {
  expect(runOf(bars, { ...settings, maxBuyPrice }).above).toBe(above)
})

test('what was bought at nothing lost has no worst day', () => {
  const held = { ...settings, autoBuy: false }
  expect(runOf(bars, held).both.unkind).toMatchObject({ worstDay: null, buys: 0, holding: 0, closing: 0 })
})
