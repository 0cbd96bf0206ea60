import type { KisHolding } from '@digger/kis'
import { expect, test } from 'vitest'
import { brokerHoldings } from './brokerHoldings.ts'

const HELD: KisHolding = {
  code: '009150',
  name: '삼성전기',
  count: 10,
  sellableCount: 10,
  averagePrice: 100_000,
  buyAmount: 1_000_000,
  price: 110_000,
  gainAmount: 100_000,
  gainRatio: 10,
}

test('shares of a loan are shown apart, and as none that could be sold', () => {
  const list = brokerHoldings({ holdings: [HELD], credit: [{ ...HELD, count: 3, sellableCount: 3 }] }, () => null)
  expect(list.map(({ name, qty, availableQty, loan }) => [name, qty, availableQty, loan])).toEqual([
    ['삼성전기', 10, 10, false],
    ['삼성전기', 3, 0, true],
  ])
})
