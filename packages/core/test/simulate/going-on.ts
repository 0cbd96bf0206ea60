import { isLive, type Account } from '../../src/index.ts'
import type { Broker } from './broker.ts'
import type { Monitor } from './monitor.ts'
import type { Random } from './random.ts'
import type { Shell } from './shell.ts'

interface Parts {
  readonly random: Random
  readonly broker: Broker
  readonly shell: Shell
  readonly monitor: Monitor
}

/**
 * Puts an account that has been trading into the run. The broker has what the book has, and orders without a verdict by
 * chance; half of the runs begin with a restart. Other programs' orders are not known, so where the account had seen any it
 * begins with a restart, too, which forgets them.
 */
export function goOn({ random, broker, shell, monitor }: Parts, account: Account): void {
  const { book, view } = account
  broker.inherit(book, () => random.chance(0.5))
  monitor.inherit(account)
  shell.inherit(account)
  const isAlone = view.orders.strangers.size === 0 && view.stocks.agreedStrangers.size === 0
  if (!isAlone || random.chance(0.5)) return shell.boot()
  shell.up = true
  // What was under way when the incident ended comes to an end without a result.
  for (const { id, status } of book.orders.values()) {
    if (!isLive(status)) continue
    if (status === 'cancelling') shell.later(5_000, () => shell.post({ kind: 'cancelFailed', orderId: id, text: '' }))
    if (status === 'intended') shell.later(5_000, () => shell.post({ kind: 'unknown', orderId: id, text: '' }))
  }
  shell.later(random.int(50, 3_000), () => shell.post({ kind: 'authorised', authorised: true }))
  shell.later(random.int(50, 3_000), () => shell.relink())
}
