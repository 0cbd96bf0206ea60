import type { LiveEvent } from '@digger/contract'
import type { Book, Fact } from '@digger/core'
import type { AccountChanged, Accounts } from '@digger/engine'
import { stopsView } from '../views/limitView.ts'
import { stockView } from '../views/stockView.ts'

/** What a durable change means for the screens. */
export function liveEventsOf(accounts: Accounts, { userId, after, facts }: AccountChanged): LiveEvent[] {
  const codes = [...new Set(facts.flatMap((fact) => codeOf(fact, after) ?? []))]
  const stocks = codes.flatMap((code) => {
    const stock = after.stocks.get(code)
    return stock === undefined ? [] : [stockView(accounts, userId, stock, { withSavedGain: true })]
  })
  const events: LiveEvent[] = stocks.length === 0 ? [] : [{ kind: 'stocks', stocks }]
  for (const code of codes) {
    if (facts.some((fact) => isTradeFact(fact) && codeOf(fact, after) === code)) events.push({ kind: 'trades', code })
  }
  if (facts.some(isStopFact)) events.push({ kind: 'stop', stops: stopsView(after, accounts.serverStop()) })
  if (facts.some(isLimitFact)) events.push({ kind: 'limits' })
  if (facts.some(isOrderFact)) events.push({ kind: 'orders' })
  return events
}

const isTradeFact = (fact: Fact): boolean =>
  fact.kind === 'lotBought' || fact.kind === 'lotSold' || fact.kind === 'lotSplit' || fact.kind === 'orderAccepted'

const isOrderFact = (fact: Fact): boolean => 'orderId' in fact || fact.kind === 'orderIntended'

const isStopFact = ({ kind }: Fact): boolean =>
  kind === 'userStopped' || kind === 'stockStopped' || kind === 'limitReached' || kind === 'stockLimitReached'

const isLimitFact = ({ kind }: Fact): boolean => kind === 'limitsSet' || kind === 'dayOpened' || kind === 'limitReached'

function codeOf(fact: Fact, book: Book): string | null {
  if ('code' in fact) return fact.code
  if (fact.kind === 'lotSold') return fact.trade.code
  if (fact.kind === 'orderIntended') return fact.order.code
  return 'orderId' in fact ? (book.orders.get(fact.orderId)?.code ?? null) : null
}
