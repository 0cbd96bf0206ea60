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

/** Each is 0 in an account whose every fill this run has seen; one that began with lots keeps what it began with. */
export function moneyOf({ shell, broker, firstCash, deposited }: Parts): Money {
  let spent = 0
  let earned = 0
  for (const order of broker.orders) {
    if (order.side === 'buy') spent += order.filledAmount
    else earned += order.filledAmount
  }
  let carried = 0
  let brought = 0
  for (const fact of shell.journal) {
    if (fact.kind !== 'lotSold') continue
    carried += fact.trade.buyAmount
    brought += fact.trade.sellAmount ?? 0
  }
  for (const stock of shell.account.book.stocks.values()) for (const lot of stock.lots) carried += lot.buyAmount
  return {
    carried: carried - spent,
    brought: brought - earned,
    cash: broker.cash - (firstCash + deposited - spent + earned),
  }
}
