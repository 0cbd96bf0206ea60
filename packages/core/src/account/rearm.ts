import type { Draft } from './draft.ts'
import { isLive, LISTING_LAG_MS } from './life.ts'
import { loseOrder } from './ordering.ts'
import { emptyView } from './step-types.ts'

/** How long a person's sale waits for older orders of its lots to be cancelled, ms. */
export const WISH_MS = 30_000

/**
 * The clock was set: waits that were counted in the old time would end too soon or hours too late, so they begin anew.
 * Who may send, and what people asked for, stays.
 */
export function forgetTimes(draft: Draft): void {
  const { now } = draft.ctx
  const { authorised, wishes, unwanted, decided, heldBuys, heard, timeless } = draft.view
  const nameless = [...draft.book.orders.values()].filter((order) => isLive(order.status) && order.odno === null)
  draft.know({
    ...emptyView,
    authorised,
    unwanted,
    decided,
    heldBuys,
    heard,
    heardAt: now,
    wishes: wishes.map((wish) => ({ ...wish, until: now + WISH_MS })),
    timeless: new Set([...timeless, ...nameless.map((order) => order.id)]),
  })
  // The wait for the list begins again in the time that now holds.
  for (const { id, status, note, absentFrom, updatedAt } of nameless)
    if (status === 'unknown') loseOrder(draft, id, note ?? '', Math.max(LISTING_LAG_MS, (absentFrom ?? 0) - updatedAt))
  askCancelsAgain(draft, '취소하던 중에 시계가 바뀌었습니다.')
  disarm(draft)
}

/** Whether a cancel left is not known; asking again is harmless, so it is asked again. */
export function askCancelsAgain(draft: Draft, note: string): void {
  for (const { id, status } of draft.book.orders.values()) {
    if (status !== 'cancelling') continue
    draft.record({ kind: 'cancelRefused', orderId: id, note })
    draft.know({ unwanted: new Set(draft.view.unwanted).add(id) })
  }
}

/** Book and broker must be compared by a reading asked from now on before anything is automatic again. */
export function disarm(draft: Draft): void {
  const { now } = draft.ctx
  draft.know({ armed: false, linkedAt: now, lastComparedAt: 0, readAt: now })
}
