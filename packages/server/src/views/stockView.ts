import type { Stock as StockView } from '@digger/contract'
import { type Stock, kstIso, remainAmount, remainCount } from '@digger/core'
import type { Accounts } from '@digger/engine'

export interface StockShown {
  /** Where false, the gain of past trades is shown as 0. The gain of the shares held never contains it. */
  readonly withSavedGain: boolean
  /** Shown instead of the last price; nothing is traded by it. */
  readonly simulPrice?: number | undefined
}

/** A stock of the book as people see it. */
export function stockView(accounts: Accounts, userId: string, stock: Stock, shown: StockShown): StockView {
  const { issue, settings, lots } = stock
  const last = accounts.lastPrice(issue.code)
  const price = shown.simulPrice ?? last?.price ?? null
  const [count, amount] = [remainCount(lots), remainAmount(lots)]
  const gainAmount = price === null ? 0 : count * price - amount
  const { nextBuyPrice, nextSellPrice, reasons } = accounts.outlook(userId, issue.code)
  return {
    userId,
    code: issue.code,
    name: stock.name,
    nxt: issue.nxt,
    kind: issue.kind,
    price,
    priceAt: last ? kstIso(last.at) : null,
    remainCount: count,
    remainAmount: amount,
    accGainAmount: shown.withSavedGain ? stock.accGainAmount : 0,
    gainAmount,
    gainRatio: percent(gainAmount, amount),
    ...settings,
    priceSubscribed: stock.priceSubscribed,
    version: stock.version,
    nextBuyPrice,
    nextSellPrice,
    reasons: [...reasons],
    stop: stock.stop,
    blocked: stock.blocked?.text ?? null,
    checkedAt: stock.checkedAt === null ? null : kstIso(stock.checkedAt),
    updatedAt: kstIso(stock.updatedAt),
  }
}

/** 0 where nothing was paid. */
export const percent = (gain: number, paid: number): number => (paid === 0 ? 0 : (100 * gain) / paid)
