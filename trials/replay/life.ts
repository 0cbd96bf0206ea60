import { averageTarget, lotTarget, type Book, type Stock } from '@digger/core'
import type { Sim } from '@digger/kis-sim'

/** Stocks that trade no more by themselves: what stopped them, in the words of their card. */
export function stoppedStocks(book: Book): string[] {
  return [...book.stocks.values()].flatMap(({ issue: { code }, blocked, frozen, stop }) => {
    if (blocked !== null) return [`${code}: ${blocked.text}`]
    if (frozen !== null) return [`${code}: base moved from ${frozen.close} to ${frozen.base}`]
    return stop === 'active' ? [] : [`${code}: ${stop}`]
  })
}

/**
 * What should rest at the exchange and does not: shares of lots whose target lies inside the day's limits, less the shares of
 * live sells as the exchange itself knows them. A stock that stands still is told elsewhere, and one that the exchange has halted
 * takes no order.
 */
export function missingSells(sim: Sim, account: string, book: Book, day: string): string[] {
  const resting = sim.liveOrders(account).filter(({ side }) => side === 'sell')
  return [...book.stocks.values()].flatMap((stock) => {
    const { code } = stock.issue
    const { limits, status } = sim.broker.exchange.issue(code)
    if (status.standsStill) return []
    const { lower, upper } = limits
    const due = dueShares(stock, (target) => target >= lower && target <= upper)
    const there = resting.reduce((sum, order) => sum + (order.code === code ? order.remaining : 0), 0)
    return due > there ? [`${day} ${code}: ${due - there} of ${due} shares`] : []
  })
}

function dueShares(
  { issue, settings, lots, blocked, frozen, stop }: Stock,
  isInside: (target: number) => boolean,
): number {
  if (!settings.autoSell || (blocked !== null && blocked.buysOnly !== true) || frozen !== null || stop === 'halt')
    return 0
  const free = lots.filter((lot) => lot.buyOrderId === null && !lot.heldBack && !lot.takenOver)
  const common = settings.autoSellWithAvgPrice ? averageTarget(free, settings, issue.kind) : null
  return free.reduce((sum, { buyPrice, count }) => {
    const target = common ?? lotTarget(buyPrice, settings, issue.kind)
    return sum + (isInside(target) ? count : 0)
  }, 0)
}
