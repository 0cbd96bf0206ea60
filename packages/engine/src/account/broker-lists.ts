import {
  accountDays,
  isLive,
  movedStocks,
  peoplesDays,
  type Book,
  type BrokerSnapshot,
  type ListedDays,
  type Timetable,
} from '@digger/core'
import { PartialListError, type KisExecution, type KisExecutions, type KisRest } from '@digger/kis'
import { messageOf, TimeUnknownError, UnreadableRowError } from '@digger/kis'
import type { MarketClock } from '../broker/steady-clock.ts'
import type { OutsideEvent, WantedLists, WantedStock } from './effects.ts'
import { FailureReport } from './failure-report.ts'
import { whyHoldingsMatter, whyRowsMatter } from './unreadable-rows.ts'

/** While fills go on no reading brings the holdings; a person who asked for them waits for so many. */
const CHECK_READINGS = 4

/** Stocks whose lists are read one by one after the list of all broke; each takes a second of the ledger. */
const MAX_STOCKS = 4

/** Whether the holdings count although something changed in these stocks while they were read. */
type HoldingsCount = (moved: readonly string[]) => boolean

/** An account leaves those stocks for its next comparison (compare.ts), and goes on with the others. */
const always: HoldingsCount = () => true

/** What a reading has to know beside the lists, asked anew each time. */
export interface ListReader {
  /** The account they are read for. */
  book(): Book
  timetable(): Timetable
}

interface ReadList {
  readonly from: string
  readonly to: string
  readonly executions: KisExecutions
}

/**
 * Reads the broker's lists of one account, one reading at a time. An account that was read again from the tables does not
 * know of a reading under way and asks anew: side by side they would share the ledger's one call a second, and each that
 * ends asks for one more.
 */
export class BrokerLists {
  readonly #rest: KisRest
  readonly #clock: MarketClock
  readonly #reader: ListReader
  readonly #failures: FailureReport
  /** Checks under way, by the stock they are for. */
  readonly #checking = new Map<string | null, Promise<BrokerSnapshot>>()
  /** Ends when the last reading that was begun or waits has ended; null when there is none. */
  #lastReading: Promise<unknown> | null = null
  /** What the reading that waits for its turn has to bring. */
  #wanted: WantedLists | null = null
  /** The list of orders that was read last. */
  #last: ReadList | null = null
  #readAt = performance.now()
  #count = 0
  /** The stock whose list was read last by itself, after the list of all broke. */
  #lastCode = ''

  constructor(rest: KisRest, clock: MarketClock, reader: ListReader, problem: (error: unknown) => void) {
    this.#rest = rest
    this.#clock = clock
    this.#reader = reader
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

  /** One page that must not wait for the many of a reading under way: it has no turn. */
  async readStock({ code, from, to }: WantedStock): Promise<OutsideEvent> {
    const before = this.#clock.now()
    try {
      const isOpenDay = accountDays(this.#reader.book(), to, this.#reader.timetable())
      const executions = await this.#inKnownTime(() => this.#rest.executions({ from, to, code, isOpenDay }))
      refuse(whyRowsMatter(this.#reader.book(), executions.unreadable ?? []))
      return { kind: 'stockList', code, list: { askedAt: executions.leftAt ?? before, from, to, executions } }
    } catch {
      // What failed shows in the reading of all, which goes on.
      return { kind: 'stockList', code, list: null }
    }
  }

  /**
   * For people, with the holdings; those who ask the same while such readings are under way share them: each takes seconds of
   * the ledger. With a `code` the holdings count when none of its fills slipped in: the account itself leaves every other stock
   * with a fill just now for its next comparison (compare.ts), and a lively account need not stand still for one stock.
   */
  check(from: string, to: string, code: string | null = null): Promise<BrokerSnapshot> {
    const underWay = this.#checking.get(code)
    if (underWay !== undefined) return underWay
    const check = this.#readWithHoldings({ from, to, compare: true }, code).finally(() => this.#checking.delete(code))
    this.#checking.set(code, check)
    return check
  }

  /** Each reading waits for a turn of its own, so that what happens meanwhile is booked. */
  async #readWithHoldings(wanted: WantedLists, code: string | null): Promise<BrokerSnapshot> {
    for (let more = CHECK_READINGS - 1; ; more -= 1) {
      const snapshot = await this.#inTurn(() =>
        this.#read(wanted, peoplesDays(this.#reader.book(), this.#reader.timetable()), (moved) =>
          code === null ? moved.length === 0 : !moved.includes(code),
        ),
      )
      if (snapshot.balance !== null || more === 0) return snapshot
    }
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
      const days = accountDays(this.#reader.book(), wanted.to, this.#reader.timetable())
      return { kind: 'snapshot', snapshot: await this.#read(wanted, days) }
    } catch (error) {
      this.#failures.failed(error)
      const failed = { kind: 'snapshotFailed', text: messageOf(error) } as const
      const isLasting = error instanceof UnreadableRowError
      const seen = error instanceof PartialListError ? error.seen : isLasting ? this.#last?.executions : undefined
      if (seen === undefined) return failed
      const executions = [...seen, ...(isLasting ? [] : await this.#ofStocks(wanted, seen))]
      return { ...failed, seen: { askedAt: seen.leftAt ?? this.#clock.now(), executions }, isLasting }
    }
  }

  /**
   * The list of one stock is short and cannot change between its pages: those of stocks with fills that were noticed, then
   * of others with orders that the list did not show, a few each time.
   */
  async #ofStocks({ from, to, noticed = [] }: WantedLists, seen: readonly KisExecution[]): Promise<KisExecution[]> {
    const book = this.#reader.book()
    const shown = new Set(seen.map(({ odno }) => odno))
    const others = new Set<string>()
    for (const { code, odno, status } of book.orders.values())
      if (odno !== null && isLive(status) && !shown.has(odno) && !noticed.includes(code)) others.add(code)
    const inTurn = [...others].sort(
      (a, b) => Number(a <= this.#lastCode) - Number(b <= this.#lastCode) || (a < b ? -1 : 1),
    )
    const found: KisExecution[] = []
    const isOpenDay = accountDays(book, to, this.#reader.timetable())
    for (const code of [...noticed, ...inTurn].slice(0, MAX_STOCKS)) {
      if (!noticed.includes(code)) this.#lastCode = code
      try {
        found.push(...(await this.#rest.executions({ from, to, code, isOpenDay })))
      } catch {
        // What failed once more is not asked a third time: the next reading begins in two seconds.
        break
      }
    }
    return found
  }

  async #read(wanted: WantedLists, days: ListedDays, counts: HoldingsCount = always): Promise<BrokerSnapshot> {
    const snapshot = await this.#inKnownTime(() => this.#readLists(wanted, days, counts))
    this.#readAt = performance.now()
    this.#count += 1
    // Of a comparison that has just begun the other half may fail for the same cause as before.
    if (!wanted.compare || snapshot.balance !== null) this.#failures.succeeded()
    return snapshot
  }

  /** What was asked by a clock that may be hours off says nothing of when its orders end. The answer lets the next reading know the time. */
  async #inKnownTime<T>(read: () => Promise<T>): Promise<T> {
    const { isKnown = true } = this.#clock
    const answer = await read()
    if (!isKnown) throw new TimeUnknownError()
    return answer
  }

  /**
   * The broker's list of orders, once. With `compare` its holdings too, where a list was read before them, with the stocks in
   * which something changed between the two. Where those are too many for whoever asks, the holdings are left for the next
   * reading, and what was filled is booked meanwhile.
   */
  async #readLists(
    { from, to, compare }: WantedLists,
    isOpenDay: ListedDays,
    counts: HoldingsCount,
  ): Promise<BrokerSnapshot> {
    const last = this.#last
    // A question for the holdings that fails lets the next reading begin with the list, so that fills are booked meanwhile.
    this.#last = null
    const balanceAt = this.#clock.now()
    const balance = compare && last?.to === to ? await this.#rest.balance() : null
    const before = this.#clock.now()
    const executions = await this.#rest.executions({ from, to, isOpenDay })
    this.#last = { from, to, executions }
    // By the book of now: an order may have got its number while the list was read.
    refuse(whyRowsMatter(this.#reader.book(), executions.unreadable ?? []))
    const moved = balance === null || last === null ? null : movedStocks(last, { from, executions })
    if (balance === null || moved === null || !counts(moved)) {
      // From when it left: what it waited for its turn makes it no older.
      return { askedAt: executions.leftAt ?? before, from, to, executions, balance: null }
    }
    const { holdings, depositAmount, unreadable = [] } = balance
    refuse(whyHoldingsMatter(this.#reader.book(), unreadable))
    return { askedAt: balanceAt, from, to, executions, balance: { holdings, depositAmount }, moved }
  }
}

function refuse(why: string | null): void {
  if (why !== null) throw new UnreadableRowError(why)
}

const nothing = (): void => undefined

const both = (one: WantedLists, other: WantedLists): WantedLists => ({
  from: one.from < other.from ? one.from : other.from,
  to: one.to > other.to ? one.to : other.to,
  compare: one.compare || other.compare,
  noticed: [...new Set([...(one.noticed ?? []), ...(other.noticed ?? [])])],
})
