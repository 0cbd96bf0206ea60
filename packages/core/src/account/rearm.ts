import type { StepBuilder } from './step-builder.ts'
import { isLive, LISTING_LAG_MS } from './order-status.ts'
import { loseOrder } from './ordering.ts'
import type { Book } from './types.ts'
import { emptyView, newAccount, type Account } from './view.ts'

/**
 * How long a person's sale waits for older orders of its lots to be cancelled, and then again until its last order is placed,
 * ms. At two seconds an order, as on paper, that is time for fifteen more than may wait to be sent.
 */
export const PENDING_SALE_MS = 30_000

/**
 * The clock was set: waits that were counted in the old time would end too soon or hours too late, so they start again.
 * The permission to send stays, and so do the sales that people asked for.
 */
export function forgetTimes(builder: StepBuilder): void {
  const { now } = builder.ctx
  const { authorised } = builder.view.connection
  const { pendingSales, operatorConfirmed, noticedFills, clockUncertain } = builder.view.orders
  const { heldBuys } = builder.view.stocks
  const { connection, readSchedule, cash, orders, stocks } = emptyView
  const nameless = [...builder.book.orders.values()].filter((order) => isLive(order.status) && order.odno === null)
  builder.patchView({
    connection: { ...connection, authorised },
    readSchedule,
    cash,
    orders: {
      ...orders,
      operatorConfirmed,
      noticedFills,
      noticedAt: now,
      pendingSales: pendingSales.map((pending) => ({ ...pending, until: now + PENDING_SALE_MS })),
      clockUncertain: new Set([...clockUncertain, ...nameless.map((order) => order.id)]),
    },
    stocks: { ...stocks, heldBuys },
  })
  // The wait for the list begins again in the time that now holds.
  for (const { id, status, note, absentFrom, updatedAt } of nameless)
    if (status === 'unknown')
      loseOrder(builder, id, note ?? '', Math.max(LISTING_LAG_MS, (absentFrom ?? 0) - updatedAt))
  askCancelsAgain(builder, '취소하던 중에 시계가 바뀌었습니다.')
  disarm(builder)
}

/**
 * The account of a book that was read again while this process goes on: what people asked for and were told is done stands
 * in no table and holds on, and so does the doubt about the time of orders. All else is learned anew, as after a restart.
 * Sales that still wait are left out: whoever asked for one is told that it failed, so it must not be made later.
 */
export function accountReadAgain({ book: before, view }: Account, book: Book): Account {
  const account = newAccount(book)
  const { operatorConfirmed, clockUncertain } = view.orders
  const isStillLive = (id: number): boolean => isLive(book.orders.get(id)?.status ?? 'cancelled')
  return {
    book,
    view: {
      ...account.view,
      orders: {
        ...account.view.orders,
        operatorConfirmed: new Set([...operatorConfirmed].filter(isStillLive)),
        // Orders that were given up are looked for all day.
        clockUncertain: new Set([...clockUncertain].filter((id) => book.orders.has(id))),
      },
      // A day that was opened in the tables meanwhile has let go of them.
      stocks: { ...account.view.stocks, heldBuys: before.day === book.day ? view.stocks.heldBuys : new Set() },
    },
  }
}

/** Whether a cancel left is not known. Asking again is harmless: a person's is asked again, and the rules decide theirs anew. */
export function askCancelsAgain(builder: StepBuilder, note: string): void {
  for (const { id, status } of builder.book.orders.values()) {
    if (status !== 'cancelling') continue
    builder.record({ kind: 'cancelRefused', orderId: id, note })
  }
}

/** Book and broker must be compared by a reading asked from now on before anything is automatic again. */
export function disarm(builder: StepBuilder): void {
  const { now } = builder.ctx
  builder.patchView({ connection: { armed: false, linkedAt: now }, readSchedule: { lastComparedAt: 0, dueAt: now } })
}
