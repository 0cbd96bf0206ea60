import { averageTarget, lotTarget, type Book, type Stock } from '@digger/core'
import type { Sim } from '@digger/kis-sim'
import { missingShares, standstillOf, type SaleDue, type StockState } from '../agreement/resting.ts'

/** Stocks that trade no more by themselves: what stopped them, in the words of their card. */
export const stoppedStocks = (book: Book): string[] =>
  [...book.stocks.values()].flatMap((stock) => standstillOf(stateOf(stock)) ?? [])

/** What should rest at the exchange and does not. One that the exchange has halted takes no order. */
export function missingSells(sim: Sim, account: string, book: Book, day: string): string[] {
  const resting = sim.liveOrders(account)
  return [...book.stocks.values()].flatMap((stock) => {
    const { code } = stock.issue
    const { limits, status } = sim.broker.exchange.issue(code)
    if (status.standsStill) return []
    const found = missingShares(stateOf(stock), salesOf(stock), limits, resting)
    return found === null ? [] : [`${day} ${code}: ${found.missing} of ${found.due} shares`]
  })
}

const stateOf = ({ issue: { code }, blocked, frozen, stop, settings: { autoSell } }: Stock): StockState => ({
  code,
  blocked: blocked?.text ?? null,
  buysOnly: blocked?.buysOnly === true,
  frozen,
  stop,
  autoSell,
})

function salesOf({ issue, settings, lots }: Stock): SaleDue[] {
  const free = lots.filter((lot) => lot.buyOrderId === null && !lot.heldBack && !lot.takenOver)
  const common = settings.autoSellWithAvgPrice ? averageTarget(free, settings, issue.kind) : null
  return free.map(({ buyPrice, count }) => ({ count, target: common ?? lotTarget(buyPrice, settings, issue.kind) }))
}
