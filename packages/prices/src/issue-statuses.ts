import { phaseAt, sortedStatuses, type IssueStatus, type Timetable } from '@digger/core'
import type { Clock } from '@digger/database'
import type { Tick } from '@digger/kis'
import type { KnownStatuses } from './observer.ts'

/** What lasts as long as it is read again and again, or until a trade. */
const MOMENTARY: ReadonlySet<IssueStatus> = new Set(['interrupted', 'halted'])
/** An interruption collects for two minutes, with up to thirty seconds more at random (KRX): it is over after this, ms. */
const INTERRUPTED_MS = 150_000
/** Their orders always collect, for one price every half hour. */
const COLLECTED: ReadonlySet<IssueStatus> = new Set(['overheated', 'liquidation'])

interface Read extends KnownStatuses {
  readonly at: number
}

interface Interruption {
  readonly venue: Tick['venue']
  readonly until: number
}

export interface IssueStatusesParts {
  readonly clock: Clock
  readonly timetable: () => Timetable
  /** What is known of a stock became other than it was. */
  readonly changed: (code: string) => void
}

/**
 * What the exchange has designated each stock as, or does to its trading now: read with KRX's price, and of interruptions also seen by
 * the expected prices that the socket brings. Shared by all accounts.
 */
export class IssueStatuses {
  readonly #parts: IssueStatusesParts
  readonly #read = new Map<string, Read>()
  readonly #interrupted = new Map<string, Interruption>()
  /** Read as halted, and no trade since. */
  readonly #halted = new Set<string>()

  constructor(parts: IssueStatusesParts) {
    this.#parts = parts
  }

  of(code: string): KnownStatuses {
    const read = this.#read.get(code)
    const lasting = read?.statuses ?? []
    const isMomentary = this.#halted.has(code) || this.#isInterrupted(code)
    return { statuses: isMomentary ? this.#withMomentary(code, lasting) : lasting, at: read?.at ?? null }
  }

  #withMomentary(code: string, lasting: readonly IssueStatus[]): readonly IssueStatus[] {
    const all = new Set(lasting)
    if (this.#halted.has(code)) all.add('halted')
    if (this.#isInterrupted(code)) all.add('interrupted')
    return sortedStatuses(all)
  }

  #isInterrupted(code: string): boolean {
    return (this.#interrupted.get(code)?.until ?? 0) > this.#parts.clock.now()
  }

  /** Of KRX's price: what another venue's reply says of a designation nobody has told. */
  wasRead(code: string, found: readonly IssueStatus[]): void {
    const at = this.#parts.clock.now()
    this.#change(code, () => {
      this.#read.set(code, { statuses: sortedStatuses(found.filter((status) => !MOMENTARY.has(status))), at })
      if (found.includes('halted')) this.#halted.add(code)
      else this.#halted.delete(code)
      if (found.includes('interrupted')) this.#interrupted.set(code, { venue: 'KRX', until: at + INTERRUPTED_MS })
      else if (this.#interrupted.get(code)?.venue === 'KRX') this.#interrupted.delete(code)
    })
  }

  /** Whatever the socket brings: mostly a trade of a stock of which nothing is to be changed. */
  tickReceived({ code, venue, trade, collects = false }: Tick): void {
    if (trade) {
      if (this.#halted.has(code) || this.#interrupted.get(code)?.venue === venue) this.#traded(code)
    } else if (collects && this.#isTradedNow(venue)) this.#collects(code, venue)
  }

  #traded(code: string): void {
    this.#change(code, () => {
      this.#halted.delete(code)
      this.#interrupted.delete(code)
    })
  }

  #collects(code: string, venue: Tick['venue']): void {
    if (this.#read.get(code)?.statuses.some((status) => COLLECTED.has(status))) return
    const until = this.#parts.clock.now() + INTERRUPTED_MS
    this.#change(code, () => this.#interrupted.set(code, { venue, until }))
  }

  /** In an auction by the timetable every stock collects. */
  #isTradedNow(venue: Tick['venue']): boolean {
    const { clock, timetable } = this.#parts
    return phaseAt(venue === 'NXT' ? 'NXT' : 'KRX', clock.now(), timetable()).matching === 'continuous'
  }

  /** Interruptions that nothing has ended are over some time. About once a second. */
  endOld(): void {
    for (const code of this.#interrupted.keys()) {
      if (this.#isInterrupted(code)) continue
      this.#interrupted.delete(code)
      this.#parts.changed(code)
    }
  }

  #change(code: string, change: () => void): void {
    const before = this.of(code).statuses
    change()
    const after = this.of(code).statuses
    if (before.length !== after.length || before.some((status, at) => status !== after[at])) this.#parts.changed(code)
  }
}
