import type { Book, Fact, Stock } from '../../src/index.ts'
import type { Broker } from './broker.ts'
import type { Shell } from './shell.ts'

interface Parts {
  readonly shell: Shell
  readonly broker: Broker
  readonly firstCash: number
  /** Won that came from outside. */
  readonly deposited: number
}

/** What lots and trades carry beyond what fills cost and brought, and the cash beyond what they moved: won. */
export interface Money {
  readonly carried: number
  readonly brought: number
  readonly cash: number
}

/** Won that corrections put into the book and took out of it: no order of ours moved them. */
export class Corrections {
  /** What shares that nobody bought here are said to cost. */
  takenOver = 0
  /** What is said to have been paid for shares that are gone. */
  sold = 0
  /** What was kept for shares of a stock that was deleted before they came. */
  forgotten = 0
  /** By how much an adjustment changed what lots cost that have no new number yet: a merger that is still to come. */
  rescaled = 0
  /** An order sold shares that are in no lot: a person corrects the balance later, at what they brought. */
  isOversold = false

  learn(facts: readonly Fact[], before: Book): void {
    const booked = new Map<number, number>()
    let open = 0
    let isTakenOver = false
    for (const fact of facts) {
      if (fact.kind === 'lotBought') {
        isTakenOver = fact.lot.takenOver
        if (isTakenOver) this.takenOver += fact.lot.buyAmount
      }
      // What a correction takes for new shares of a corporate action costs what was kept for those.
      if (fact.kind === 'sharesExpected' && isTakenOver)
        this.takenOver -= (before.stocks.get(fact.code)?.expected?.amount ?? 0) - (fact.expected?.amount ?? 0)
      if (fact.kind === 'stockAdjusted') this.rescaled += this.#rescaled(fact, facts, before)
      if (fact.kind === 'stockRemoved') this.forgotten += before.stocks.get(fact.code)?.expected?.amount ?? 0
      if (fact.kind === 'orderFilled') {
        const order = before.orders.get(fact.orderId)
        if (order?.side === 'sell') open += fact.count - (booked.get(order.id) ?? order.filledCount)
        booked.set(fact.orderId, fact.count)
      }
      if (fact.kind !== 'lotSold') continue
      if (open > 0) open -= fact.trade.count
      else this.sold += fact.trade.sellAmount ?? 0
    }
    if (open > 0) this.isOversold = true
  }

  /** Shares that are there, and shares that are to come, cost together what they did. */
  #rescaled(fact: Extract<Fact, { kind: 'stockAdjusted' }>, facts: readonly Fact[], before: Book): number {
    const stock = before.stocks.get(fact.code)
    if (stock === undefined || fact.move.base <= fact.move.close) return 0
    const sold = facts.reduce((sum, one) => (one.kind === 'lotSold' ? sum + one.trade.count : sum), 0)
    if (sharesOf(fact.lots) + sold !== sharesOf(stock.lots)) return 0
    const paid = facts.reduce((sum, one) => (one.kind === 'lotSold' ? sum + one.trade.buyAmount : sum), 0)
    return amountOf(fact.lots) + paid - amountOf(stock.lots)
  }
}

type Lots = Stock['lots']
const sharesOf = (lots: Lots): number => lots.reduce((sum, lot) => sum + lot.count, 0)
const amountOf = (lots: Lots): number => lots.reduce((sum, lot) => sum + lot.buyAmount, 0)

/**
 * Each is 0 in an account whose every fill this run has seen; one that began with lots keeps what it began with. What others
 * buy and sell on the account is no business of the book, but for what corrections say of it.
 */
export function moneyOf({ shell, broker, firstCash, deposited }: Parts, corrections: Corrections): Money {
  let [spent, earned, spentAll, earnedAll] = [0, 0, 0, 0]
  for (const { side, filledAmount, label } of broker.orders) {
    if (side === 'buy') spentAll += filledAmount
    else earnedAll += filledAmount
    if (label === null) continue
    if (side === 'buy') spent += filledAmount
    else earned += filledAmount
  }
  let [carried, brought] = [0, 0]
  for (const fact of shell.journal) {
    if (fact.kind !== 'lotSold') continue
    carried += fact.trade.buyAmount
    brought += fact.trade.sellAmount ?? 0
  }
  for (const { lots, expected } of shell.account.book.stocks.values()) {
    carried += expected?.amount ?? 0
    for (const lot of lots) carried += lot.buyAmount
  }
  return {
    carried: carried + corrections.forgotten - corrections.takenOver - corrections.rescaled - spent,
    brought: brought - corrections.sold - earned,
    cash: broker.cash - (firstCash + deposited - spentAll + earnedAll),
  }
}
