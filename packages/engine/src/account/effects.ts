import type { AccountEvent, Book, Effect, Order } from '@digger/core'

/** What happens to an account from outside; what people ask comes as a command. */
export type OutsideEvent = AccountEvent extends infer E ? (E extends { kind: 'command' } ? never : E) : never

/** Which days' lists are wanted (`YYYYMMDD`), and whether the holdings too. */
export type WantedLists = Omit<Extract<Effect, { kind: 'readLists' }>, 'kind'>

/** The stock whose list is wanted, and of which days. */
export type WantedStock = Omit<Extract<Effect, { kind: 'readStock' }>, 'kind'>

/**
 * What an account does to the outside world, after the facts that ask for it are durable. Each call resolves to the one
 * event it ends in (null: it ends together with another one) and never rejects.
 */
export interface Effects {
  /** Whether the broker may be used now. */
  readonly authorised: boolean
  send(order: Order): Promise<OutsideEvent>
  cancel(order: Order): Promise<OutsideEvent>
  read(wanted: WantedLists | WantedStock): Promise<OutsideEvent | null>
  askCash(code: string): Promise<OutsideEvent>
}

/** What is carried out outside of the account. */
export type OutsideEffect = Exclude<Effect, { kind: 'commandResult' }>

/** Counts effects that are under way: orders and cancels, and questions. */
export class RunningEffects {
  orders = 0
  questions = 0

  /** `book` is the one that the effect was decided with. */
  async run(effects: Effects, effect: OutsideEffect, book: Book): Promise<OutsideEvent | null> {
    const what = effect.kind === 'send' || effect.kind === 'cancel' ? 'orders' : 'questions'
    this[what] += 1
    try {
      return await runEffect(effects, effect, book)
    } finally {
      this[what] -= 1
    }
  }
}

function runEffect(effects: Effects, effect: OutsideEffect, book: Book): Promise<OutsideEvent | null> {
  if (effect.kind === 'send') return effects.send(orderOf(book, effect.orderId))
  if (effect.kind === 'cancel') return effects.cancel(orderOf(book, effect.orderId))
  return effect.kind === 'askCash' ? effects.askCash(effect.code) : effects.read(effect)
}

function orderOf(book: Book, orderId: number): Order {
  const order = book.orders.get(orderId)
  if (order === undefined) throw new Error(`order ${orderId} is not in the book that sends it`)
  return order
}

const CLOSED = '증권사 연결이 닫혀 보내지 않았습니다.'

/** Without a broker nothing leaves, and the account learns it. */
export const NO_BROKER: Effects = {
  authorised: false,
  send: async ({ id }) => ({ kind: 'notSent', orderId: id, text: CLOSED }),
  cancel: async ({ id }) => ({ kind: 'cancelFailed', orderId: id, text: CLOSED }),
  read: async (wanted) =>
    'code' in wanted ? { kind: 'stockList', code: wanted.code, list: null } : { kind: 'snapshotFailed', text: CLOSED },
  askCash: async () => ({ kind: 'cashFailed', text: CLOSED }),
}
