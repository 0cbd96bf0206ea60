import type { LiveEvent, Stock } from '@digger/contract'
import { type Book, type Change, type Fact, orderOf } from '@digger/core'
import type { AccountChanged, Accounts } from '@digger/engine'
import { stopsView } from '../views/limitView.ts'
import { stockView } from '../views/stockView.ts'
import { touchedTrades } from './touched-trades.ts'

/** What a durable change means for the screens. */
export function liveEventsOf(accounts: Accounts, change: AccountChanged, now: number): LiveEvent[] {
  const { userId, after, facts } = change
  const codes = [...new Set(facts.flatMap((fact) => codeOf(fact, change) ?? []))]
  const stocks = stocksOf(accounts, userId, codes, after)
  const removed = new Set(facts.flatMap((fact) => (fact.kind === 'stockRemoved' ? [fact.code] : [])))
  const events: LiveEvent[] = [...removed].map((code) => ({ kind: 'removed', code }))
  if (stocks.length > 0) events.push({ kind: 'stocks', stocks })
  for (const code of codes) {
    const own = { ...change, facts: facts.filter((fact) => codeOf(fact, change) === code) }
    const trades = touchedTrades(own, code, accounts.lastPrice(code)?.price ?? null, now)
    if (trades?.length !== 0) events.push({ kind: 'trades', code, trades })
  }
  if (facts.some(isStopFact))
    events.push({ kind: 'stop', stops: stopsView(after, accounts.serverStop(), accounts.serverStopReason()) })
  if (facts.some(isLimitFact)) events.push({ kind: 'limits' })
  if (facts.some(isOrderFact)) events.push({ kind: 'orders' })
  return events
}

/** Those of the stocks that are listed, as people see them. */
export const stocksOf = (
  accounts: Accounts,
  userId: string,
  codes: readonly string[],
  { stocks }: Pick<Book, 'stocks'> = accounts.book(userId),
): Stock[] =>
  codes.flatMap((code) => {
    const stock = stocks.get(code)
    return stock === undefined ? [] : [stockView(accounts, userId, stock, { withSavedGain: true })]
  })

const isOrderFact = (fact: Fact): boolean => 'orderId' in fact || fact.kind === 'orderIntended'

const STOP_FACTS: ReadonlySet<Fact['kind']> = new Set([
  'userStopped',
  'stockStopped',
  'limitReached',
  'stockLimitReached',
  'otherServerSuspected',
  'otherServerDismissed',
])
const isStopFact = ({ kind }: Fact): boolean => STOP_FACTS.has(kind)

const LIMIT_FACTS: ReadonlySet<Fact['kind']> = new Set([
  'limitsSet',
  'firstDaysSet',
  'venuesChosen',
  'dayOpened',
  'limitReached',
])
const isLimitFact = ({ kind }: Fact): boolean => LIMIT_FACTS.has(kind)

function codeOf(fact: Fact, change: Change): string | null {
  if ('code' in fact) return fact.code
  if (fact.kind === 'lotSold') return fact.trade.code
  return orderOf(fact, change)?.code ?? null
}
