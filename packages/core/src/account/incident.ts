import { asLoaded } from './as-loaded.ts'
import { evolve } from './evolve.ts'
import type { Fact } from './facts.ts'
import type { Realised } from '../ladder/gain.ts'
import { canonical, decideAgain, inputOf, type StoredInput } from './input.ts'
import { NO_OTHER_SERVER } from './other-server-state.ts'
import type { Book, Order, Stock } from './types.ts'
import type { Account } from './view.ts'
import { emptyView } from './view.ts'

/*
 * An incident is one account's day as a file: the book before it, then step by step the facts and what was looked at.
 * `npm run explain -- --incident FILE` writes it, `npm run prove -- simulate --incident FILE` plays it. JSON, all of it data of
 * this module's types; a Map is a list of its values, or of its entries where these do not name their key. It names no person: whoever wrote it has put a plain name for the user.
 */
export const INCIDENT_FORM = 1

export interface Incident {
  readonly digger: 'incident'
  readonly form: number
  /** Version of the program that wrote it. */
  readonly program: string
  /** KST day of the first step. */
  readonly day: string
  readonly book: PlainBook
  readonly steps: readonly IncidentStep[]
}

export interface IncidentStep {
  /** Journal row of its first fact. */
  readonly seq: number
  readonly facts: readonly Fact[]
  /** Null where none was kept: facts of an earlier version, or of an account's making. */
  readonly input: StoredInput | null
}

export type PlainBook = Omit<Book, 'stocks' | 'orders' | 'realisedToday'> & {
  readonly stocks: readonly Stock[]
  readonly orders: readonly Order[]
  /** By code. Files written before 27 November 2026 lack it. */
  readonly realisedToday?: readonly (readonly [code: string, Realised])[]
}

export const plainBook = (book: Book): PlainBook => ({
  ...book,
  stocks: [...book.stocks.values()],
  orders: [...book.orders.values()],
  realisedToday: [...book.realisedToday],
})

export const bookOf = (plain: PlainBook): Book => ({
  ...plain,
  // Files written before 24 November 2026 lack it.
  otherServer: plain.otherServer ?? NO_OTHER_SERVER,
  // Before 28 November 2026 nothing was rehearsed.
  shadow: plain.shadow ?? false,
  stocks: new Map(plain.stocks.map((stock) => [stock.issue.code, { ...stock, shadow: stock.shadow ?? false }])),
  orders: new Map(plain.orders.map((order) => [order.id, order])),
  realisedToday: new Map(plain.realisedToday ?? []),
})

/** A decision that this program takes otherwise than it was taken. */
export interface Divergence {
  readonly step: IncidentStep
  readonly now: readonly Fact[]
}

export interface Played {
  /** As it stood after the last step, with what the process knew then. */
  readonly account: Account
  /** Steps that were decided again; the others have no input. */
  readonly decided: number
  /** The first of them; null: every decision is the very same. */
  readonly divergence: Divergence | null
}

/** Takes every decision of an incident again. What follows a divergence goes on from the facts of then. */
export function playIncident({ book: plain, steps }: Incident): Played {
  let account: Account = { book: bookOf(plain), view: emptyView }
  let divergence: Divergence | null = null
  let decided = 0
  for (const one of steps) {
    const input = one.input === null ? null : inputOf(one.input)
    // Every reading of the tables is followed by the step of the next row.
    let book = input !== null && input.loaded === one.seq - 1 ? asLoaded(account.book) : account.book
    let view = emptyView
    if (input !== null) {
      const again = decideAgain(book, input)
      decided += 1
      view = again.account.view
      if (divergence === null && canonical(again.facts) !== canonical(one.facts))
        divergence = { step: one, now: again.facts }
    }
    book = one.facts.reduce(evolve, book)
    account = { book, view }
  }
  return { account, decided, divergence }
}

/** Throws for anything but an incident of a form that is known. */
export function parseIncident(text: string): Incident {
  const incident: Partial<Incident> = JSON.parse(text)
  const { digger, form, program, day, book, steps } = incident
  if (digger !== 'incident' || program === undefined || day === undefined || book === undefined || steps === undefined)
    throw new RangeError('this is no incident that npm run explain wrote')
  if (form !== INCIDENT_FORM) throw new RangeError(`incidents of form ${form} are not known`)
  return { digger, form, program, day, book, steps }
}
