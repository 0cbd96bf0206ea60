import type { Fact } from '@digger/kis-sim'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { isFed } from './broker-socket.ts'
import { isExcused } from './excuses.ts'
import { BOOK_MS, LISTED_MS, listMs } from './latency.ts'
import type { CommittedOrder, CommittedRows } from './rows.ts'
import { isPhantom, type Strays } from './strays.ts'
import { Violation } from '../violation.ts'

type Filled = Extract<Fact, { kind: 'filled' }>

const LOOK_MS = 30_000
/** Lists that failed are read again up to half a minute later, and a server that began anew reads them first, ms. */
const RECOVERY_MS = 60_000
/** Without notices, for the socket is away, the list is read this often while orders are open, ms. */
const UNNOTICED_MS = 15_000
/** What ends with its session is told by no notice, and listed as open until the evening: over when the session surely is, ms. */
const SURELY_OVER_MS = 5 * 60_000
/** What the exchange did this lately need not be in the book yet, ms. */
const RECENT_MS = LISTED_MS + BOOK_MS

/** While nothing goes wrong the book follows the exchange within seconds, for every fill and every live order. */
export class Books {
  readonly #stage: Stage
  readonly #people: readonly Person[]
  readonly #rows: CommittedRows
  readonly #strays: Strays
  readonly #filled = new Map<string, number>()
  /** When something last happened to an order, by account and number; ms since the start. */
  readonly #touched = new Map<string, number>()

  constructor(stage: Stage, people: readonly Person[], rows: CommittedRows, strays: Strays) {
    this.#stage = stage
    this.#people = people
    this.#rows = rows
    this.#strays = strays
  }

  begin(): void {
    const { simulation } = this.#stage
    const look = (): void => {
      const canLook = this.#isWell(simulation.now) && this.#rows.readable
      if (this.#stage.looks.count('list and book', canLook))
        for (const person of this.#people) this.#stage.simulation.check(() => this.#compare(person))
      simulation.after(LOOK_MS, null, look)
    }
    simulation.after(LOOK_MS, null, look)
  }

  happened(fact: Fact): void {
    if (fact.kind !== 'filled' && fact.kind !== 'reduced' && fact.kind !== 'accepted') return
    const { simulation } = this.#stage
    const key = `${fact.account}/${fact.kind === 'accepted' ? fact.order.odno : fact.odno}`
    this.#touched.set(key, simulation.now)
    if (fact.kind !== 'filled') return
    const count = (this.#filled.get(key) ?? 0) + fact.count
    this.#filled.set(key, count)
    const from = simulation.now
    const person = this.#people.find((one) => one.account === fact.account)
    if (person === undefined) return
    const noticed = isFed(this.#stage, person, fact.code)
    simulation.after(RECENT_MS, null, () => {
      const lists = listMs(this.#stage.sim.orders(fact.account).length)
      const late = noticed && isFed(this.#stage, person, fact.code) ? lists : lists + UNNOTICED_MS
      simulation.after(late, null, () =>
        this.#stage.simulation.check(() => this.#checkBooked(person, fact, count, from)),
      )
    })
  }

  #checkBooked(person: Person, { day, odno, code, side }: Filled, count: number, from: number): void {
    if (this.#strays.isStray(person, odno)) return
    if (!this.#stage.looks.count('fills and book', this.#isWell(from) && this.#rows.readable)) return
    const booked = this.#rows.filledCount(person.userId, day, odno)
    if (booked !== null && booked >= count) return
    throw new Violation(
      'fills are booked',
      `${count} of the ${side} ${odno} of ${code} of ${person.email} ${(this.#stage.simulation.now - from) / 1_000} s after the fill: ${booked}`,
    )
  }

  #compare(person: Person): void {
    if (person.userId === '') return
    const { simulation, sim } = this.#stage
    const rows = this.#rows.orders(person.userId)
    const live = new Map(rows.flatMap((row) => (row.live && row.odno !== null ? [[row.odno, row]] : [])))
    const unsettled = new Set(rows.filter((row) => row.live && row.odno === null).map(({ code }) => code))
    const lists = listMs(sim.orders(person.account).length)
    const isRecent = (odno: string): boolean =>
      simulation.now - (this.#touched.get(`${person.account}/${odno}`) ?? 0) < RECENT_MS + lists + UNNOTICED_MS
    const there = new Set<string>()
    for (const { odno, code, side, change } of sim.liveOrders(person.account)) {
      there.add(odno)
      if (change !== null || live.has(odno) || isRecent(odno) || unsettled.has(code)) continue
      if (this.#strays.isStray(person, odno)) continue
      throw this.#differ(person, `the ${side} ${odno} of ${code} is live, not in the book`)
    }
    const expiring = this.#expiring(person)
    const gone = [...live.values()].find(
      ({ odno }) => !there.has(odno ?? '') && !isRecent(odno ?? '') && !isPhantom(odno) && !expiring.has(odno ?? ''),
    )
    if (gone !== undefined) throw this.#differ(person, goneText(gone))
  }

  /** Numbers of orders that ended with their session, so lately that the book need not know it. */
  #expiring({ account }: Person): ReadonlySet<string> {
    const { simulation, sim } = this.#stage
    const since = simulation.epoch + simulation.now - SURELY_OVER_MS - UNNOTICED_MS - RECENT_MS
    return new Set(sim.orders(account).flatMap(({ odno, expiredAt }) => ((expiredAt ?? 0) > since ? [odno] : [])))
  }

  #differ(person: Person, what: string): Violation {
    return new Violation('book and list agree', `${person.email}: ${what}`)
  }

  /** No fault has been on for a while before `from`, and none since. */
  #isWell(from: number): boolean {
    const { plan, simulation } = this.#stage
    return !isExcused(plan, 'late', from, simulation.now, RECOVERY_MS)
  }
}

const goneText = ({ side, odno, code, status }: CommittedOrder): string =>
  `the ${side} ${odno} of ${code} is ${status} in the book, not at the exchange`
