import type { Adjustment } from '@digger/contract'
import { type BaseMove, type Stock, adjustmentOf, kstIso } from '@digger/core'

/** What a frozen stock would become, beside what it is. `held`: shares at the broker without those its person keeps. */
export function adjustmentView(stock: Stock, move: BaseMove, held: number): Adjustment {
  const { settings, lots, expected } = adjustmentOf(stock, move, held)
  const price = (name: 'maxBuyPrice' | 'lastBuyPrice' | 'minSellPrice') => ({
    before: stock.settings[name],
    after: settings[name],
  })
  return {
    move,
    maxBuyPrice: price('maxBuyPrice'),
    lastBuyPrice: price('lastBuyPrice'),
    minSellPrice: price('minSellPrice'),
    lots: stock.lots.map(({ id, boughtAt, count, buyPrice }) => {
      const after = lots.find((lot) => lot.id === id)
      return {
        id,
        buyDateTime: kstIso(boughtAt),
        count: { before: count, after: after?.count ?? 0 },
        buyPrice: { before: buyPrice, after: after?.buyPrice ?? null },
      }
    }),
    held,
    expected,
  }
}
