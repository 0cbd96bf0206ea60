import { emptyBook, evolve, newAccount, type Account, type Book, type Fact } from '@digger/core'

/** A rehearsed account: a book of its own, and what it would have taken out of the cash that both share. */
export interface ShadowState {
  readonly account: Account
  /** Won that its trades would have spent, less what they would have brought, by stock. */
  readonly outlay: ReadonlyMap<string, number>
}

/** Lots that only the rehearsal bought are numbered from here, so that a copy of a real lot keeps its own number. */
export const FIRST_OWN_LOT = 1_000_000_001

export const EMPTY_STATE: ShadowState = {
  account: newAccount({ ...emptyBook(''), nextLotId: FIRST_OWN_LOT }),
  outlay: new Map(),
}

/** The durable part alone: what its facts make of it. */
export function evolveState({ account, outlay }: ShadowState, fact: Fact): ShadowState {
  return {
    account: { ...account, book: evolve(account.book, fact) },
    outlay: outlayAfter(outlay, account.book, fact),
  }
}

/** The fee of a buy is counted with its sale, which names both; the rules keep more than that free in every buy. */
export function outlayAfter(
  outlay: ReadonlyMap<string, number>,
  before: Book,
  fact: Fact,
): ReadonlyMap<string, number> {
  if (fact.kind === 'stockRemoved') return new Map([...outlay].filter(([code]) => code !== fact.code))
  if (fact.kind === 'lotSold') return add(outlay, fact.trade.code, fact.trade.fee + fact.trade.tax)
  const order = fact.kind === 'orderFilled' ? before.orders.get(fact.orderId) : undefined
  if (fact.kind !== 'orderFilled' || order === undefined) return outlay
  const won = fact.amount - order.filledAmount
  return add(outlay, order.code, order.side === 'buy' ? won : -won)
}

const add = (outlay: ReadonlyMap<string, number>, code: string, won: number): ReadonlyMap<string, number> =>
  new Map(outlay).set(code, (outlay.get(code) ?? 0) + won)

/**
 * What of the real cash is left for the rehearsal, won: less what it has spent, and what its buys of before the question may still cost.
 * Later ones the rules take off themselves.
 */
export function cashLeft({ account, outlay }: ShadowState, amount: number, askedAt: number): number {
  let left = amount
  for (const won of outlay.values()) left -= won
  for (const order of account.book.orders.values())
    if (order.side === 'buy' && order.status === 'open' && order.createdAt <= askedAt)
      left -= (order.count - order.filledCount) * order.reservedPrice
  return Math.max(0, left)
}
