import type { AccountEvent, Book, Fact, Order, VenueChoices } from '../../src/index.ts'
import { Agreed } from './agreed.ts'
import type { Broker } from './broker.ts'
import { Kept } from './kept.ts'
import { Violation } from './violation.ts'

/** What is a person's own decision: what may be sold, what is theirs, where their orders go. */
export class Own {
  /** Other programs sell on the account, and may sell what its person keeps. */
  outside = false
  #venues: VenueChoices = { sor: false, preMarket: false, afterMarket: false }
  readonly #agreed = new Agreed()
  readonly #kept: Kept

  constructor(broker: Broker) {
    this.#kept = new Kept(broker)
  }

  inherit(book: Book): void {
    this.#agreed.inherit(book)
    this.#kept.inherit(book)
    this.#venues = book.venues
  }

  learn(facts: readonly Fact[], event: AccountEvent, before: Book): void {
    this.#agreed.learn(facts, event, before)
    this.#kept.learn(facts, event)
    for (const fact of facts) if (fact.kind === 'venuesChosen') this.#venues = fact.venues
  }

  /** A corporate action made `count` shares more of `from`. */
  became(code: string, count: number, from: number): void {
    this.#agreed.credited(code, count)
    this.#kept.became(code, from, from + count)
  }

  /** An order that was just made. */
  check(order: Order, after: Book): void {
    if (isAway(order, this.#venues))
      throw new Violation('I15 venue', `order ${order.id} goes to ${order.venue} ${order.session}`)
    if (order.side !== 'sell' || order.origin !== 'auto') return
    if (!this.#agreed.has(order))
      throw new Violation('I12 agreed', `order ${order.id} sells what nobody agreed to sell`)
    const endangered = this.#kept.endangered(order.code, after)
    if (endangered > 0 && !this.outside)
      throw new Violation('I13 kept', `order ${order.id} offers ${endangered} shares that its person keeps`)
  }
}

/** Its owner did not choose it. */
const isAway = ({ venue, session }: Order, use: VenueChoices): boolean => {
  if (session === 'pre') return !use.preMarket
  if (session === 'after' || venue === 'NXT') return !use.afterMarket
  return venue === 'SOR' && !use.sor
}
