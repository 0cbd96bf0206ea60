import { expect, test } from 'vitest'
import { gainRatio, grossGain, realisedNetGain, unrealisedGain } from './gain.ts'

test.each([
  [6, 415_800, 71_000, 10_200],
  [6, 415_800, 69_300, 0],
  [6, 415_800, 69_299, -6],
  [6, 415_800, null, null],
  [0, 0, 71_000, 0],
  [0, 0, null, 0],
])('%d shares that cost %d won gain at %s: %s', (count, amount, price, gain) => {
  expect(unrealisedGain(count, amount, price)).toBe(gain)
})

test('gross: count × (sell − buy); unknown without a sale', () => {
  expect([grossGain(2, 68_600, 69_500), grossGain(2, 68_600, 68_000), grossGain(2, 68_600, null)]).toEqual([
    1_800,
    -1_200,
    null,
  ])
})

test('net: after the costs of both sides; unknown without a sale', () => {
  const trade = { sellAmount: 139_000, buyAmount: 137_200, fee: 40, tax: 278 }
  expect(realisedNetGain(trade)).toBe(1_482)
  expect(realisedNetGain({ ...trade, sellAmount: null })).toBeNull()
})

test('percent of what was paid, 0 where nothing was', () => {
  expect([gainRatio(50, 1_000), gainRatio(-1, 200), gainRatio(1, 0)]).toEqual([5, -0.5, 0])
})
