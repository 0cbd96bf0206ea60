import type { Adjustment } from '@digger/contract'
import { type AnnouncedAction, type BaseMove, type Stock, adjustmentOf, kstIso } from '@digger/core'

interface Known {
  /** Shares at the broker, with those its person keeps. */
  readonly held: number
  /** What was announced for the day of the move. */
  readonly announced: AnnouncedAction | null
}

/** What a frozen stock would become, beside what it is. */
export function adjustmentView(stock: Stock, move: BaseMove, { held, announced }: Known): Adjustment {
  const { settings, lots, expected, kept } = adjustmentOf(stock, move, held)
  const price = (name: 'maxBuyPrice' | 'lastBuyPrice' | 'minSellPrice') => ({
    before: stock.settings[name],
    after: settings[name],
  })
  return {
    move,
    version: stock.version,
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
    kept: { before: stock.kept, after: kept },
    expected,
    announced,
  }
}
