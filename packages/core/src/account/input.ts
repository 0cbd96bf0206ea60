import { weekday } from '../krx/kst.ts'
import { tradingDayBefore, type DayHours, type Timetable } from '../krx/session.ts'
import { step } from './step.ts'
import type { Account, AccountEvent, Context, Quote, Step } from './step-types.ts'
import type { Book } from './types.ts'
import type { View } from './view.ts'
import { differing, viewOf, type PlainView } from './view-json.ts'

/** Form of the stored text. A program that changes it goes on reading the earlier ones, or says that it cannot. */
const FORM = 1

/** Everything one decision looked at beside the book, which the journal rebuilds. */
export interface StepInput {
  /** Newest journal row when the book was last read from the tables: see `asLoaded`. */
  readonly loaded: number
  readonly event: AccountEvent
  readonly context: Context
  readonly view: View
}

/** As it is stored: without a Map, a Set, or anything that says what it would say without it. */
export interface StoredInput {
  readonly form: number
  readonly loaded: number
  readonly event: AccountEvent
  readonly context: Omit<Context, 'timetable' | 'quote' | 'atGate'> & {
    readonly hours: Timetable['hours']
    readonly closed: readonly string[]
    readonly special?: readonly (readonly [day: string, hours: DayHours])[]
    /** In place of `special` before 24 November 2026: days of which everything but the evening's end came later. */
    readonly shiftMinutes?: readonly (readonly [day: string, minutes: number])[]
    readonly quotes: readonly (readonly [code: string, quote: Quote])[]
  }
  readonly view: PlainView
}

/** A context that remembers the quotes it was asked for. */
export interface Recording {
  readonly context: Context
  readonly quotes: ReadonlyMap<string, Quote>
}

export function recording(context: Context): Recording {
  const quotes = new Map<string, Quote>()
  const quote = (code: string): Quote | undefined => {
    const known = context.quote(code)
    if (known !== undefined) quotes.set(code, known)
    return known
  }
  return { context: { ...context, quote }, quotes }
}

/** The text to store for a step that began with this account, event and context. `quotes`: those it asked for. */
export function inputText(
  { book, view }: Account,
  event: AccountEvent,
  { now, isTimeUnknown, doubts, env, limits, serverStop, shadow, timetable }: Context,
  quotes: ReadonlyMap<string, Quote>,
  loaded: number,
): string {
  const { hours, closed, special } = neededOf(timetable, book)
  const context = {
    now,
    isTimeUnknown,
    doubts,
    env,
    limits,
    serverStop,
    shadow,
    hours,
    closed,
    special,
    quotes: [...quotes],
  }
  return JSON.stringify({ form: FORM, loaded, event, context, view: differing(view) })
}

/**
 * Days from the last trading day before the oldest order of the book on: no decision asks for an earlier one. A list that a server
 * gathered over months would be most of what is stored. Weekends are closed without an entry.
 */
function neededOf(timetable: Timetable, book: Book) {
  const { hours, closed, special } = timetable
  let from = book.day
  for (const { day } of book.orders.values()) if (day < from) from = day
  // The book of a new account has no day yet.
  const first = from === '' ? from : tradingDayBefore(from, timetable)
  const isNeeded = (day: string): boolean => day >= first
  return {
    hours,
    closed: [...closed].filter((day) => isNeeded(day) && weekday(day) % 6 !== 0),
    special: [...special].filter(([day]) => isNeeded(day)),
  }
}

/** Throws for a form this program does not know. */
export function inputOf({ form, loaded, event, context, view }: StoredInput): StepInput {
  if (form !== FORM) throw new RangeError(`inputs of form ${form} are not known`)
  const { hours, closed, special, shiftMinutes = [], quotes, ...rest } = context
  const known = new Map(quotes)
  return {
    loaded,
    event,
    context: {
      ...rest,
      timetable: { hours, closed: new Set(closed), special: new Map(special ?? shiftMinutes.map(shifted)) },
      quote: (code) => known.get(code),
    },
    view: viewOf(view),
  }
}

/** As an earlier version took a late day: NXT's pre-market, too, came later. */
const shifted = ([day, minutes]: readonly [day: string, minutes: number]): readonly [string, DayHours] => {
  const by = minutes * 60
  return [day, { opensAt: 9 * 3_600 + by, closesAt: 15.5 * 3_600 + by, preMarketAt: 8 * 3_600 + by }]
}

/** The same decision once more, on the book before it. */
export const decideAgain = (book: Book, { event, context, view }: StepInput, atGate?: Context['atGate']): Step =>
  step({ book, view }, event, atGate === undefined ? context : { ...context, atGate })

/** The same text for the same data: keys in order, as a database may give them back in another. */
export const canonical = (value: unknown): string => JSON.stringify(sortKeys(value))

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sortKeys(inner)]),
  )
}
