import type { BrokerSnapshot } from '@digger/core'
import type { KisExecution, KisRest } from '@digger/kis'
import type { Clock } from '@digger/database'
import { messageOf } from '../broker/message.ts'
import type { OutsideEvent, WantedLists } from './effects.ts'
import { FailureReport } from './failure-report.ts'

/** Rounds of executions–balance–executions before the holdings are left for the next reading. */
const STEADY_ROUNDS = 3

/**
 * Reads the broker's lists of one account, one reading at a time. An account that was read again from the tables does not
 * know of a reading under way and asks anew: side by side they would share the ledger's one call a second, and each that
 * ends asks for one more.
 */
export class BrokerLists {
  readonly #rest: KisRest
  readonly #clock: Clock
  readonly #failures: FailureReport
  #checking: Promise<BrokerSnapshot> | null = null
  /** Ends when the last reading that was begun or waits has ended; null when there is none. */
  #lastReading: Promise<unknown> | null = null
  /** What the reading that waits for its turn has to bring. */
  #wanted: WantedLists | null = null
  #readAt = performance.now()
  #count = 0

  constructor(rest: KisRest, clock: Clock, problem: (error: unknown) => void) {
    this.#rest = rest
    this.#clock = clock
    this.#failures = new FailureReport(problem)
  }

  /** Since the broker's lists were last read to the end, or since there is a broker, real ms. */
  get age(): number {
    return performance.now() - this.#readAt
  }

  /** Readings that came to their end. */
  get count(): number {
    return this.#count
  }

  /** For the account. Readings that were asked for while one is under way end in one together: null for all but one of them. */
  async readInTurn(asked: WantedLists): Promise<OutsideEvent | null> {
    if (this.#wanted !== null) {
      this.#wanted = both(this.#wanted, asked)
      return null
    }
    this.#wanted = asked
    return this.#inTurn(() => {
      const wanted = this.#wanted ?? asked
      this.#wanted = null
      return this.#eventOf(wanted)
    })
  }

  /** For people, with the holdings; those who ask while such a reading is under way share it: each takes seconds of the ledger. */
  check(from: string, to: string): Promise<BrokerSnapshot> {
    this.#checking ??= this.#inTurn(() => this.#read({ from, to, compare: true })).finally(
      () => (this.#checking = null),
    )
    return this.#checking
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#lastReading === null ? read() : this.#lastReading.then(read)
    const ended: Promise<unknown> = turn.then(nothing, nothing).finally(() => {
      if (this.#lastReading === ended) this.#lastReading = null
    })
    this.#lastReading = ended
    return turn
  }

  async #eventOf(wanted: WantedLists): Promise<OutsideEvent> {
    try {
      return { kind: 'snapshot', snapshot: await this.#read(wanted) }
    } catch (error) {
      this.#failures.failed(error)
      return { kind: 'snapshotFailed', text: messageOf(error) }
    }
  }

  async #read(wanted: WantedLists): Promise<BrokerSnapshot> {
    const snapshot = await this.#readLists(wanted)
    this.#readAt = performance.now()
    this.#count += 1
    this.#failures.succeeded()
    return snapshot
  }

  /**
   * The broker's list of orders, and with `compare` its holdings too: taken between two equal lists, so that no fill
   * slipped in between. Without such a quiet moment the holdings are left out.
   */
  async #readLists({ from, to, compare }: WantedLists): Promise<BrokerSnapshot> {
    const before = this.#clock.now()
    let executions = await this.#rest.executions({ from, to })
    // From when it left: what it waited for its turn makes it no older.
    let askedAt = executions.leftAt ?? before
    if (!compare) return { askedAt, from, to, executions, balance: null }
    for (let round = 0; round < STEADY_ROUNDS; round += 1) {
      const { holdings, depositAmount } = await this.#rest.balance()
      const after = await this.#rest.executions({ from, to })
      if (sameFills(executions, after)) {
        return { askedAt, from, to, executions: after, balance: { holdings, depositAmount } }
      }
      askedAt = after.leftAt ?? askedAt
      executions = after
    }
    return { askedAt, from, to, executions, balance: null }
  }
}

const nothing = (): void => undefined

const both = (one: WantedLists, other: WantedLists): WantedLists => ({
  from: one.from < other.from ? one.from : other.from,
  to: one.to > other.to ? one.to : other.to,
  compare: one.compare || other.compare,
})

const sameFills = (a: readonly KisExecution[], b: readonly KisExecution[]): boolean =>
  a.length === b.length && a.every((row, i) => row.odno === b[i]?.odno && row.filledCount === b[i].filledCount)
