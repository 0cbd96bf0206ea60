import { kstDay, knownTimetable, weekday, type DayCorrection, type MorningFacts, type Timetable } from '@digger/core'
import { NotOfferedError, type KisRest } from '@digger/kis'

/** After a question that failed the same key asks again this much later, ms: the broker wants about one a day. */
const RETRY_MS = 600_000

/** Who says how a day is: the days that Digger brings, the broker's list, or an operator. Each goes before the one before it. */
export type DaySource = 'shipped' | 'broker' | 'operator'

/** A day that is not like any other, or that an operator has spoken of. */
export interface KnownDay {
  readonly day: string
  readonly is: DayCorrection
  readonly source: DaySource
  /** How it would be without the operator; null: no operator has spoken of it. */
  readonly otherwise: DayCorrection | null
}

/** When the exchange is open: the shipped days, corrected by the broker's list (about once a day), and by the operator last. */
export class Timetables {
  readonly #known: Timetable
  #current: Timetable
  /** What the broker said of a day: newer words take the place of older ones. */
  readonly #listed = new Map<string, boolean>()
  #corrections: ReadonlyMap<string, DayCorrection> = new Map()
  #readOn: string | null = null
  #isOffered = true
  #disputed: ReadonlySet<string> = new Set()
  #asking = false
  readonly #askedAt = new WeakMap<KisRest, number>()

  constructor(hours: Timetable['hours']) {
    this.#known = knownTimetable(hours)
    this.#current = this.#known
  }

  get current(): Timetable {
    return this.#current
  }

  /** The broker lists the day as open, what Digger brings has it closed, and no operator has spoken of it. */
  isDisputed(now: number): boolean {
    return this.#disputed.size > 0 && this.#current.hours !== 'always' && this.#disputed.has(kstDay(now))
  }

  /** Who says what of a KST day. */
  saidOf(day: string): MorningFacts['calendar'] {
    const open = this.#listed.get(day)
    const listed = open === undefined ? null : open ? 'open' : 'closed'
    return { listed, isOffered: this.#isOffered, isOperators: this.#corrections.has(day) }
  }

  /** The operator's days, all of them: they hold whatever the broker lists. */
  correct(corrections: ReadonlyMap<string, DayCorrection>): void {
    this.#corrections = corrections
    this.#combine()
  }

  /** Weekdays from … to … (KST) that are not like any other, with who says so, in their order. */
  days(from: string, to: string): KnownDay[] {
    const days = new Set([
      ...this.#known.closed,
      ...this.#known.special.keys(),
      ...this.#listed.keys(),
      ...this.#corrections.keys(),
    ])
    return [...days]
      .filter((day) => from <= day && day <= to && weekday(day) % 6 !== 0)
      .sort()
      .map((day) => this.#dayOf(day))
      .filter(({ is, source }) => is !== 'normal' || source !== 'shipped')
  }

  #dayOf(day: string): KnownDay {
    const without = this.#withoutOperator(day)
    const correction = this.#corrections.get(day)
    if (correction === undefined) return { day, ...without, otherwise: null }
    return { day, is: correction, source: 'operator', otherwise: without.is }
  }

  #withoutOperator(day: string): { readonly is: DayCorrection; readonly source: DaySource } {
    const { closed, special } = this.#known
    const isOpen = !closed.has(day)
    const listed = this.#listed.get(day) ?? isOpen
    return { is: listed ? (special.get(day) ?? 'normal') : 'closed', source: listed === isOpen ? 'shipped' : 'broker' }
  }

  /**
   * Asks until the list of the KST day came, one account at a time: a key that gets no answer keeps no other from asking.
   * Without the list the shipped days hold.
   */
  async refresh(rest: KisRest, now: number): Promise<void> {
    const today = kstDay(now)
    // What is disputed is asked again: the list may be mended.
    const isRead = this.#readOn === today && !this.isDisputed(now)
    if (this.#current.hours === 'always' || this.#asking || isRead) return
    // Either way: the clock may have been set back.
    if (Math.abs(now - (this.#askedAt.get(rest) ?? Number.NEGATIVE_INFINITY)) < RETRY_MS) return
    this.#asking = true
    this.#askedAt.set(rest, now)
    try {
      const days = await rest.holidays(today)
      for (const { day, open } of days) this.#listed.set(day, open)
      this.#combine()
      this.#readOn = today
    } catch (error) {
      // The paper host has no such list, today or in ten minutes.
      if (error instanceof NotOfferedError) {
        this.#readOn = today
        this.#isOffered = false
      }
      throw error
    } finally {
      this.#asking = false
    }
  }

  #combine(): void {
    const closed = new Set(this.#known.closed)
    const special = new Map(this.#known.special)
    for (const [day, open] of this.#listed) {
      if (open) closed.delete(day)
      else closed.add(day)
    }
    for (const [day, correction] of this.#corrections) {
      closed.delete(day)
      special.delete(day)
      if (correction === 'closed') closed.add(day)
      else if (correction !== 'normal') special.set(day, correction)
    }
    this.#current = { ...this.#known, closed, special }
    const isOpened = ([day, open]: readonly [string, boolean]): boolean =>
      open && this.#known.closed.has(day) && !this.#corrections.has(day)
    this.#disputed = new Set([...this.#listed].filter(isOpened).map(([day]) => day))
  }
}
