import { expect, test } from 'vitest'
import type { Lot, Settings } from './types.ts'
import { netGain } from '../krx/cost.ts'
import { nextBuyPrice, planBuy, referenceAfterBuy, remainAmount } from './buy.ts'
import { averagePrice, averageTarget, lowestBuyPrice, planSells, referenceAfterSale } from './sell.ts'
import { EXAMPLE, lot } from '../../test/settings.ts'

/** A price that buys fills whole at the order price; the reference moves with it. */
function buyAt(settings: Settings, lots: readonly Lot[], price: number): { settings: Settings; lots: Lot[] } {
  const plan = planBuy({
    settings,
    kind: 'stock',
    heldAmount: remainAmount(lots),
    liveBuyAmount: 0,
    price,
    buyableCount: null,
    band: null,
  })
  if (plan.kind !== 'buy') throw new Error(plan.reasons.at(-1)?.text)
  const lastBuyPrice = referenceAfterBuy(plan.count * plan.price, plan.count)
  return { settings: { ...settings, lastBuyPrice }, lots: [...lots, lot(lots.length + 1, plan.count, plan.price)] }
}

test('the worked example, number by number', () => {
  const first = buyAt(EXAMPLE, [], 70_000)
  expect(first.lots).toEqual([lot(1, 2, 70_000)])
  expect(nextBuyPrice(first.settings, 'stock')).toBe(69_300)

  const second = buyAt(first.settings, first.lots, 69_300)
  expect(second.lots.at(-1)).toEqual(lot(2, 2, 69_300))
  expect(nextBuyPrice(second.settings, 'stock')).toBe(68_600)

  const third = buyAt(second.settings, second.lots, 68_600)
  expect(third.lots.at(-1)).toEqual(lot(3, 2, 68_600))
  expect(nextBuyPrice(third.settings, 'stock')).toBe(67_900)

  const { orders } = planSells({ ...third, kind: 'stock', band: null })
  expect(orders.map((order) => [order.lots[0]?.lotId, order.price, order.count])).toEqual([
    [3, 69_500, 2],
    [2, 70_200, 2],
    [1, 70_900, 2],
  ])

  // The third lot sells at 69,500: +1,800 gross.
  const open = third.lots.slice(0, 2)
  expect(2 * (69_500 - 68_600)).toBe(1_800)
  const costs = { market: 'KOSPI', kind: 'stock', buyDay: '20260914', sellDay: '20260914' } as const
  expect(netGain({ ...costs, buyAmount: 137_200, sellAmount: 139_000 })).toBe(1_482)
  expect(referenceAfterSale(lowestBuyPrice(open), third.settings, 68_600, 69_500)).toBe(69_300)
  expect(nextBuyPrice({ ...third.settings, lastBuyPrice: 69_300 }, 'stock')).toBe(68_600)

  // Average mode at three lots.
  expect(averagePrice(third.lots)).toBe(69_300)
  expect(averageTarget(third.lots, third.settings, 'stock')).toBe(70_200)
  const whole = planSells({
    ...third,
    settings: { ...third.settings, autoSellWithAvgPrice: true },
    kind: 'stock',
    band: null,
  })
  expect(whole.orders.map((order) => [order.price, order.count])).toEqual([[70_200, 6]])
})

test('a gap to 66,000 buys once, and the reference moves to that fill', () => {
  const start = { settings: { ...EXAMPLE, lastBuyPrice: 69_300 }, lots: [lot(1, 2, 70_000), lot(2, 2, 69_300)] }
  const after = buyAt(start.settings, start.lots, 66_000)
  expect(after.lots.at(-1)).toEqual(lot(3, 3, 66_000))
  expect(after.settings.lastBuyPrice).toBe(66_000)
  expect(nextBuyPrice(after.settings, 'stock')).toBe(65_300)
  expect(() => buyAt(after.settings, after.lots, 66_000)).toThrow('현재가가 다음 매수가 65,300원보다 높아 기다립니다.')
})
