import { mattersOf, type Account, type Matters, type Order } from '@digger/core'
import type { EffectRunner } from './effect-runner.ts'
import type { AccountMailbox } from './mailbox.ts'

/** One account at this moment. Ages are ms. */
export interface Pulse {
  readonly opened: boolean
  readonly authorised: boolean
  readonly armed: boolean
  /** Since it could last trade, or since its key was opened; 0 while it can. */
  readonly unarmedAge: number
  readonly unauthorisedAge: number
  /** Since the socket that brings prices and notices is gone while stocks are traded; 0 while it is there, or not wanted. */
  readonly withoutPricesAge: number
  readonly mailbox: number
  readonly mailboxAge: number
  /** For how long commits have failed. */
  readonly failingAge: number
  /** Events that could not be decided since the last good one of their kind. */
  readonly undecided: number
  readonly queue: number
  readonly queuePeak: number
  readonly queueAge: number
  /** An order is at work, so that lists are read often. */
  readonly working: boolean
  readonly listAge: number
  readonly due: number
  readonly dueAge: number
  readonly unknown: number
  readonly unknownAge: number
  readonly cashQuestions: number
  readonly listsRead: number
  /** An exchange trades now. */
  readonly inSession: boolean
  readonly matters: Matters
}

/** Since when something is so, by the process' even clock. */
export class Since {
  #at: number | null = null

  note(so: boolean): void {
    if (!so) this.#at = null
    else this.#at ??= performance.now()
  }

  get ms(): number {
    return this.#at === null ? 0 : performance.now() - this.#at
  }
}

/** `now`: the market's time, in which the account counts what is due and what has no verdict. */
export function pulseOf(
  mailbox: AccountMailbox,
  effects: EffectRunner | null,
  since: Readonly<Record<'unarmed' | 'unauthorised' | 'working' | 'withoutPrices', Since>>,
  { now, inSession }: Pick<Pulse, 'inSession'> & { readonly now: number },
): Pulse {
  const { account } = mailbox
  const { view } = account
  const lanes = effects === null ? [] : Object.values(effects.broker.rest.queue())
  const working = isWorking(account)
  const due = dueOf(account)
  const lost = ordersOf(account, (order) => order.status === 'unknown')
  return {
    opened: effects !== null,
    authorised: effects !== null && view.connection.authorised,
    armed: view.connection.armed,
    unarmedAge: since.unarmed.ms,
    unauthorisedAge: since.unauthorised.ms,
    withoutPricesAge: since.withoutPrices.ms,
    mailbox: mailbox.waiting,
    mailboxAge: mailbox.stuckMs,
    failingAge: mailbox.failingMs,
    undecided: mailbox.undecided,
    queue: lanes.reduce((sum, lane) => sum + lane.waiting, 0),
    queuePeak: Math.max(0, ...lanes.map((lane) => lane.peak)),
    queueAge: Math.max(0, ...lanes.map((lane) => lane.oldestMs)),
    working,
    // Nobody promised to read often while nothing was at work.
    listAge: Math.min(effects?.lists.age ?? 0, working ? since.working.ms : Number.POSITIVE_INFINITY),
    due: due.length,
    dueAge: ageOf(due, now),
    unknown: lost.length,
    unknownAge: ageOf(
      lost.map((order) => order.updatedAt),
      now,
    ),
    cashQuestions: effects?.cashQuestions ?? 0,
    listsRead: effects?.lists.count ?? 0,
    inSession,
    matters: mattersOf(account),
  }
}

/** Some order rests at the broker. */
export const isWorking = (account: Account): boolean =>
  ordersOf(account, (order) => order.status === 'open' || order.status === 'cancelling').length > 0

/** Since when each is due; of stocks that are still in the book. */
const dueOf = ({ book, view }: Account): number[] =>
  [...view.stocks.dueSince].flatMap(([what, since]) => (book.stocks.has(what.split(' ')[1] ?? '') ? since : []))

const ordersOf = ({ book }: Account, wanted: (order: Order) => boolean): Order[] =>
  [...book.orders.values()].filter(wanted)

const ageOf = (instants: readonly number[], now: number): number =>
  instants.length === 0 ? 0 : Math.max(0, now - Math.min(...instants))
