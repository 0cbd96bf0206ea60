import type { AccountEvent, Book, Effect } from '@digger/core'

/** What happens to an account from outside; what people ask comes as a command. */
export type OutsideEvent = AccountEvent extends infer E ? (E extends { kind: 'command' } ? never : E) : never

export type BrokerEffect = Exclude<Effect, { kind: 'answer' }>

/** Runs on the outside world what a step decided. */
export interface Effects {
  /** Whether the broker may be used now. */
  readonly authorised: boolean
  /**
   * Runs an effect of a step that was committed just now. Resolves to the one event it ends in; null when it ends together
   * with another one. Never rejects.
   */
  run(effect: BrokerEffect, book: Book): Promise<OutsideEvent | null>
}

/** What becomes of an effect when the broker was taken away before it ran: nothing left, and the account is told. */
export function withoutBroker(effect: BrokerEffect): OutsideEvent {
  const text = '증권사 연결이 닫혀 보내지 않았습니다.'
  switch (effect.kind) {
    case 'send':
      return { kind: 'notSent', orderId: effect.orderId, text }
    case 'cancel':
      return { kind: 'cancelFailed', orderId: effect.orderId, text }
    case 'read':
      return { kind: 'readingFailed', text }
    case 'askCash':
      return { kind: 'cashFailed' }
  }
}
