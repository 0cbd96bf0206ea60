import type { Fact } from '@digger/kis-sim'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import type { SentOrder } from '../wiretap.ts'
import { Limits } from './limits.ts'
import type { CommittedOrder, CommittedRows } from './rows.ts'
import { StandingOrders } from './standing.ts'
import { isGivenUp, type Strays } from './strays.ts'
import { Violation } from '../violation.ts'

type AcceptedOrder = Extract<Fact, { kind: 'accepted' }>['order']

/** Orders leave within ten seconds of their commit (last-look.ts); a machine's clock may be off by one, ms. */
const MAX_AGE_MS = 11_000
/** A server that lost the database's lock may act on its lease for so long; whoever took over waits longer (decision 018), ms. */
const LEASE_MS = 4_000

/** What must never be, looked at in the instant it would happen: on the wire, and at the exchange. */
export class Safety {
  readonly #stage: Stage
  readonly #people: readonly Person[]
  readonly #rows: CommittedRows
  readonly #strays: Strays
  readonly #standing: StandingOrders
  readonly #limits: Limits
  /** Orders the exchange took, by what they look like. */
  readonly #taken = new Map<string, number>()
  orders = 0
  fills = 0

  constructor(stage: Stage, people: readonly Person[], rows: CommittedRows, strays: Strays) {
    this.#stage = stage
    this.#people = people
    this.#rows = rows
    this.#strays = strays
    this.#standing = new StandingOrders(rows, strays)
    this.#limits = new Limits(stage, rows, strays)
  }

  /** The last byte of an order was just written. */
  sent(sent: SentOrder): void {
    this.#stage.looks.count('orders on the wire', true)
    const person = this.#personOf(sent.account)
    const stop = this.#rows.stopOf(person.userId, sent.code)
    const what = `${sent.process.name} sends ${sent.side} ${sent.count} of ${sent.code} at ${sent.price}`
    this.#stage.story.add(`${what} for ${person.email}`)
    if (stop === 'halt' || (stop === 'reduce' && sent.side === 'buy'))
      throw new Violation('nothing against a stop in force', `${what}, while ${stop}`)
    if (this.#rows.isShadowed(person.userId, sent.code)) throw new Violation('nothing leaves the shadow', what)
    const owner = this.#stage.owner
    const isFollowed = owner !== null && owner.process !== sent.process
    if (isFollowed && this.#stage.simulation.now - owner.since > LEASE_MS)
      throw new Violation(
        'only one server trades',
        `${what}, while ${owner.process.name} (${owner.process.pid}) has the database`,
      )
    const rows = this.#rows.ordersOf(person.userId, sent.code).filter((row) => isOf(row, sent))
    // Who followed within the lease counts what may still leave as sent, and looks for it.
    const mayLeave = isFollowed ? ['intended', 'unknown'] : ['intended']
    const row = rows.findLast(({ status }) => mayLeave.includes(status))
    if (row === undefined)
      throw new Violation(
        'no order without a committed row',
        `${what}; rows like it: ${rows.map(({ id, status }) => `${id} ${status}`).join(', ') || 'none'}`,
      )
    this.#checkAge(person, row, what)
    this.#checkLimits(person, row, what)
  }

  #checkAge(person: Person, row: CommittedOrder, what: string): void {
    const committed = this.#stage.committedAt(person.userId, row.id)
    if (!this.#stage.looks.count('age of orders', committed !== null) || committed === null) return
    const age = this.#stage.simulation.now - committed
    if (age > MAX_AGE_MS) throw new Violation('no order leaves late', `${what}, ${Math.round(age)} ms after its commit`)
  }

  #checkLimits(person: Person, row: CommittedOrder, what: string): void {
    if (row.side === 'sell') {
      const twice = this.#rows.lotsTwice(person.userId, row.id)
      if (twice > 0) throw new Violation('no lot in two live orders', `${what}: ${twice} lots`)
      return
    }
    if (row.origin !== 'auto') return
    const settings = this.#rows.setting(person.userId, row.code)
    if (!this.#stage.looks.count('lots and limits', settings !== null) || settings === null) return
    const { maxBuyPrice, maxBuyAmount } = settings
    if (row.price > (maxBuyPrice ?? 0)) throw new Violation('limits hold', `${what}, above ${maxBuyPrice}`)
    this.#limits.checkTrigger(person, row, what)
    const cost = this.#rows.costOf(person.userId, row.code) + row.count * row.price
    if (cost > (maxBuyAmount ?? 0)) throw new Violation('limits hold', `${what}: ${cost} won of ${maxBuyAmount}`)
  }

  /** Something happened at the exchange. */
  happened(fact: Fact): void {
    if (fact.kind === 'accepted' && fact.order.change === null) this.#accepted(fact.order)
    if (fact.kind === 'filled') this.fills += 1
    if (fact.kind === 'filled' || fact.kind === 'reduced') this.#standing.reduce(fact)
  }

  #accepted(order: AcceptedOrder): void {
    this.orders += 1
    this.#stage.looks.count('orders at the exchange', true)
    const person = this.#personOf(order.account)
    const what = `${order.side} ${order.count} of ${order.code} at ${order.price} (number ${order.odno}) of ${person.email}`
    const rows = this.#rows.ordersOf(person.userId, order.code).filter((row) => isOf(row, order))
    const stray = this.#strays.note(order, rows)
    this.#stage.story.add(`the broker takes ${what}${stray === null ? '' : `, ${stray}`}`)
    if (stray !== null) return
    const listed = rows.map(({ id, status, odno }) => `${id} ${status} ${odno ?? ''}`).join(', ') || 'none'
    const like = `${order.account} ${order.code} ${order.side} ${order.count} ${order.price}`
    const taken = (this.#taken.get(like) ?? 0) + 1
    this.#taken.set(like, taken)
    if (taken > rows.length)
      throw new Violation('no double order', `${what} is number ${taken} of its kind; rows: ${listed}`)
    if (taken > rows.filter((row) => !isGivenUp(row)).length)
      throw new Violation('nothing given up arrives', `${what} is number ${taken} of its kind; rows: ${listed}`)
    const row = this.#standing.add(person, order, rows, what)
    if (row !== null) this.#limits.accepted(person, row, what)
  }

  #personOf(account: string): Person {
    const person = this.#people.find((one) => one.account === account)
    if (person === undefined) throw new Error(`nobody has the account ${account}`)
    return person
  }
}

const isOf = (row: CommittedOrder, order: { code: string; side: string; count: number; price: number }): boolean =>
  row.code === order.code &&
  row.side === order.side &&
  row.count === order.count &&
  (row.type !== 'limit' || row.price === order.price)
