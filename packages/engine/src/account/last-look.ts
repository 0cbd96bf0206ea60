import { effectiveStop, isShadowed, type Order } from '@digger/core'
import { bootNow, type Lease } from '@digger/database'
import type { WriteGuard } from '@digger/kis'
import type { TradingConditions } from '../conditions.ts'
import type { AccountMailbox } from './mailbox.ts'

/** An automatic buy that waited longer than this for its turn acts on a price that is gone, ms. */
const MAX_BUY_AGE_MS = 5_000
/**
 * Any order leaves within this long of its commit, or not at all, ms by boot time: a process that stood still must not go on
 * where it stopped. On paper two seconds lie between two orders, and twenty may wait.
 */
const MAX_ORDER_AGE_MS = { real: 10_000, paper: 60_000 } as const

/** What the last look at every order of one account asks. */
export interface LastLookParts {
  readonly mailbox: Pick<AccountMailbox, 'account' | 'inDoubt' | 'pendingStop' | 'ended'>
  readonly conditions: Pick<TradingConditions, 'env' | 'clock' | 'serverStop'> &
    Partial<Pick<TradingConditions, 'shadow'>>
  /** The right to trade these accounts. */
  readonly lease: Lease
}

/** Whether one order may still leave. Asked in the turn of the socket write, and before each try. */
export class LastLook implements WriteGuard {
  readonly #parts: LastLookParts
  readonly #order: Order
  readonly #committedAt: number

  /** `committedAt`: boot time of the order's commit, ms. */
  constructor(parts: LastLookParts, order: Order, committedAt: number) {
    this.#parts = parts
    this.#order = order
    this.#committedAt = committedAt
  }

  /** Why the order must not go any more, or null. */
  refuse(): string | null {
    const order = this.#order
    const { lease, conditions } = this.#parts
    const { env, clock } = conditions
    const refusal = this.#refuseByAccount(order)
    if (refusal !== null) return refusal
    if (this.#parts.mailbox.ended) return '이 계좌를 다른 서버가 맡아 보내지 않았습니다.'
    if (!lease.held()) return '이 서버가 계좌를 맡고 있는지 확인되지 않아 보내지 않았습니다.'
    if (bootNow() - this.#committedAt > MAX_ORDER_AGE_MS[env])
      return '차례를 기다리다 너무 늦어 보내지 않았습니다. 다시 해 주세요.'
    const late = order.side === 'buy' && order.origin === 'auto' && clock.now() - order.createdAt > MAX_BUY_AGE_MS
    return late ? '차례를 기다리는 사이 가격이 낡아 보내지 않았습니다.' : null
  }

  #refuseByAccount({ id, code, side }: Order): string | null {
    const { mailbox, conditions } = this.#parts
    const { book } = mailbox.account
    // Either may be what the tables hold, and whoever starts from them goes by that.
    const books = mailbox.inDoubt === null ? [book] : [book, mailbox.inDoubt]
    // The gate lets none of these come so far; should it ever be wrong, nothing rehearsed leaves all the same.
    if (books.some(({ stocks }) => isShadowed(stocks.get(code) ?? { shadow: false }, conditions)))
      return '그림자(연습)라 보내지 않았습니다.'
    const stop = books.reduce(
      (strictest, { stop: ofUser, stocks }) => effectiveStop(strictest, ofUser, stocks.get(code)?.stop ?? 'active'),
      effectiveStop(conditions.serverStop, mailbox.pendingStop(code), 'active'),
    )
    if (books.some(({ otherServer }) => otherServer.suspected !== null))
      return '보내기 직전에 다른 곳에서 이 계좌를 함께 거래하는 것으로 보여 멈췄습니다.'
    if (stop === 'halt') return '보내기 직전에 모든 주문이 멈췄습니다.'
    if (stop === 'reduce' && side === 'buy') return '보내기 직전에 매수가 멈췄습니다.'
    if (books.some(({ orders }) => orders.get(id)?.cancelWanted))
      return '보내기 직전에 취소해 달라는 요청이 있었습니다.'
    // A call given up as lost must not leave after all: the list is being searched for it already.
    const isIntended = books.every(({ orders }) => orders.get(id)?.status === 'intended')
    return isIntended ? null : '이미 끝났거나 기다리다 만 주문입니다.'
  }
}
