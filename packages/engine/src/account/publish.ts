import { duesBetween, type Account, type Fact } from '@digger/core'
import type { AccountsObserver } from '../observer.ts'

type Observer = Pick<AccountsObserver, 'accountChanged' | 'accountArmed' | 'strangersChanged' | 'duesChanged'>

interface Happened {
  readonly userId: string
  readonly before: Account
  readonly after: Account
  readonly facts: readonly Fact[]
}

/** Tells the observers what an event has changed: what is durable, and what people see beside it. */
export function publish(observers: readonly Observer[], { userId, before, after, facts }: Happened): void {
  const strangersMoved = before.view.orders.strangers !== after.view.orders.strangers
  const isArmed = after.view.connection.armed && !before.view.connection.armed
  const dues = duesBetween(before.view.stocks.dueSince, after.view.stocks.dueSince)
  for (const observer of observers) {
    if (facts.length > 0) observer.accountChanged?.({ userId, before: before.book, after: after.book, facts })
    if (isArmed) observer.accountArmed?.(userId)
    if (strangersMoved) observer.strangersChanged?.(userId)
    if (dues.length > 0) observer.duesChanged?.(userId, dues)
  }
}
