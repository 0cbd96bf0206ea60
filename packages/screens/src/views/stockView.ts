import type { Reason as ReasonView, Stock as StockView } from '@digger/contract'
import {
  type Book,
  type DueOrder,
  type ExpectedShares,
  type Reason,
  type Stock,
  gainRatio,
  heldAmount,
  heldToday,
  isShadowed,
  kstIso,
  liveBuyAmount,
  liveOrders,
  lotsBehindExpected,
  openGainToday,
  remainAmount,
  remainCount,
  unrealisedGain,
} from '@digger/core'
import type { Accounts } from '@digger/engine'
import type { z } from 'zod'

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
  const taken = lots.filter(({ takenOver }) => takenOver)
  // The contract has a number here, as the specification: without a price it is 0. The web client shows "unknown" by the price.
  const gainAmount = unrealisedGain(count, amount, price) ?? 0
  const { nextBuyPrice, nextSellPrice, reasons, due } = accounts.outlook(userId, issue.code)
  const { statuses, at: statusesAt } = accounts.statuses(issue.code)
  const book = accounts.book(userId)
  const basePrice = accounts.dayBase(issue.code)
  const buyingAmount = liveBuyAmount(liveOrders(book, issue.code))
  return {
    userId,
    code: issue.code,
    name: stock.name,
    nxt: issue.nxt,
    kind: issue.kind,
    price,
    priceAt: last ? kstIso(last.at) : null,
    basePrice,
    today: todayOf(book, stock, { price, basePrice }),
    usedAmount: heldAmount(stock) + buyingAmount,
    buyingAmount,
    remainCount: count,
    remainAmount: amount,
    accGainAmount: shown.withSavedGain ? stock.accGainAmount : 0,
    gainAmount,
    gainRatio: gainRatio(gainAmount, amount),
    ...settings,
    priceSubscribed: stock.priceSubscribed,
    version: stock.version,
    nextBuyPrice,
    nextSellPrice,
    reasons: reasons.map(reasonView),
    due: due && dueView(due),
    stop: stock.stop,
    blocked: stock.blocked?.text ?? null,
    frozen: stock.frozen,
    kept: stock.kept,
    ...(isShadowed(stock, { shadow: accounts.rehearsesAll() }) && { shadow: true }),
    takenOver: { count: remainCount(taken), amount: remainAmount(taken) },
    expected: stock.expected && awaitedOf(stock, stock.expected),
    announced: accounts.announced(issue.code),
    statuses: [...statuses],
    statusesAt: statusesAt === null ? null : kstIso(statusesAt),
    checkedAt: stock.checkedAt === null ? null : kstIso(stock.checkedAt),
    updatedAt: kstIso(stock.updatedAt),
  }
}

/** Shares to come, with the trades that paid for them. */
function awaitedOf(stock: Stock, expected: ExpectedShares): StockView['expected'] {
  const payers = lotsBehindExpected(stock)
  return { ...expected, trades: payers.length, cost: remainAmount(payers) }
}

function todayOf(
  book: Book,
  { issue: { code }, frozen }: Stock,
  { price, basePrice }: { readonly price: number | null; readonly basePrice: number | null },
): StockView['today'] {
  const { gross, net } = book.realisedToday.get(code) ?? { gross: 0, net: 0 }
  const held = heldToday(book, code)
  return {
    realised: gross,
    realisedNet: net,
    open: openGainToday(held, { price, base: basePrice, isFrozen: frozen !== null }),
    heldBefore: held.before,
    boughtAmount: held.boughtAmount,
  }
}

const reasonView = ({ at, ...reason }: Reason): z.infer<typeof ReasonView> =>
  at === undefined ? reason : { ...reason, at: kstIso(at) }

const dueView = ({ side, since }: DueOrder): StockView['due'] => ({ side, since: kstIso(since) })
