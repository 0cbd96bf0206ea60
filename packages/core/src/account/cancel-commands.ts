import { done, refused, type CommandOf } from './command-result.ts'
import { orderKey } from './end-order.ts'
import { holdBack } from './hold-back.ts'
import { isLive } from './order-status.ts'
import { askCancel, wantCancel } from './ordering.ts'
import { dropPendingSales } from './pending-sales.ts'
import type { StepBuilder } from './step-builder.ts'
import type { CommandResult } from './step-types.ts'
import type { Order } from './types.ts'

/** Nothing is "done" that nobody could send. */
const cannotSend = refused(
  'CONFLICT',
  '지금은 증권사와 이어져 있지 않아 취소를 보내지 못했습니다. 이어지는 대로 취소합니다.',
)

/** The broker has just refused to cancel it; asked again at once it would say the same. */
const waitsAgain = ({ note }: Order): CommandResult =>
  refused(
    'BUSY',
    `조금 전의 취소가 되지 않아 아직 다시 보내지 않았습니다: ${note ?? '이유 없음'} 주문이 남아 있으면 곧 다시 취소합니다.`,
  )

/** Orders that cannot be cancelled yet (no verdict, no connection, refused just now) are cancelled as soon as they can be. */
export function cancelOrders(builder: StepBuilder, wanted: (order: Order) => boolean): CommandResult {
  let unsent: Order | undefined
  for (const order of builder.book.orders.values()) {
    if (!isLive(order.status) || !wanted(order)) continue
    wantCancel(builder, order.id)
    if (!askCancel(builder, order.id) && order.status === 'open') unsent ??= order
    // Else the next price would buy again what a person just took back.
    holdBack(builder, order)
  }
  if (unsent === undefined) return done
  return builder.view.connection.authorised ? waitsAgain(unsent) : cannotSend
}

/**
 * The stop is first and holds whatever becomes of the cancels, which go on until the orders are over: so it is never refused. Nothing is
 * held back: once a person lets the account go on, its settings decide anew.
 */
export function stopAll(builder: StepBuilder, { own }: CommandOf<'stopAll'>): CommandResult {
  builder.record({ kind: 'userStopped', stop: 'halt' })
  if (own) dropPendingSales(builder, null)
  for (const order of builder.book.orders.values()) {
    if (!isLive(order.status) || (order.origin === 'person' && !own)) continue
    wantCancel(builder, order.id)
    askCancel(builder, order.id)
  }
  return done
}

/** An order without a broker number is cancelled, too: it does not leave any more, or as soon as its number is known. */
export function cancelOne(builder: StepBuilder, asked: CommandOf<'cancelOrder'>): CommandResult {
  const isAsked = (one: Order): boolean =>
    'id' in asked ? one.id === asked.id : one.odno === asked.odno && one.day === builder.book.day
  const order = [...builder.book.orders.values()].find(isAsked)
  if (order === undefined && isStranger(builder, asked))
    return refused('CONFLICT', '증권사 앱 등에서 낸 주문이라 여기서는 취소할 수 없습니다. 증권사 앱에서 취소해 주세요.')
  if (order === undefined)
    return refused('NOT_FOUND', '그런 미체결 주문이 없습니다. 이미 체결되었거나 취소되었는지 확인해 주세요.')
  if (order.status === 'cancelling') {
    // The rules may have asked for it, and would not insist.
    wantCancel(builder, order.id)
    return done
  }
  if (!isLive(order.status)) return refused('CONFLICT', '이미 끝난 주문입니다. 주문 목록을 새로 고쳐 주세요.')
  return cancelOrders(builder, (one) => one.id === order.id)
}

const isStranger = ({ book, view }: StepBuilder, asked: CommandOf<'cancelOrder'>): boolean =>
  'odno' in asked && view.orders.strangers.has(orderKey(book.day, asked.odno))
