import type { Stock } from '@digger/contract'
import type { SimOrder } from '@digger/kis-sim'
import type { Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { SETTLE_MS } from './latency.ts'
import type { CommittedRows } from './rows.ts'
import { isPhantom, type Strays } from './strays.ts'
import { Violation } from '../violation.ts'

/** An order must be listed within 40 s of its commit (unlisted.ts); then come two readings, 15 s apart at most, ms. */
const NOTICED_MS = 80_000
const LOOK_MS = 2_000
/** A new order is listed within 5.3 s, and the list is read every 15 s, ms. */
const READ_MS = 25_000
/** The balance is asked ten seconds after a strange fill, and shares are set right at the second look, ms. */
const PRESS_INTERVAL_MS = 16_000
const ROUNDS = 6

/** In calm people read of every stray on its card, and do what the words say. */
export class Noticed {
  readonly #stage: Stage
  readonly #rows: CommittedRows
  readonly #strays: Strays
  /** An administrator. */
  readonly #admin: Person | undefined
  /** What cannot be set right yet, by user: an order without a verdict is in the way. */
  readonly #waiting = new Map<string, Set<string>>()
  /** All stocks are halted: what is sent now is refused, and nobody lets it go on. */
  #isMarketOver = false

  constructor(stage: Stage, people: readonly Person[], rows: CommittedRows, strays: Strays) {
    this.#stage = stage
    this.#rows = rows
    this.#strays = strays
    this.#admin = people[0]
  }

  async check(person: Person): Promise<void> {
    const { simulation } = this.#stage
    const since = simulation.now
    for (;;) {
      const unnoticed = await this.#unnoticed(person)
      if (unnoticed.length === 0) break
      if (simulation.now - since > NOTICED_MS)
        throw new Violation(
          'strays are noticed',
          `${person.email}: not within ${NOTICED_MS} ms: ${unnoticed.join('; ')}`,
        )
      await this.#wait(LOOK_MS)
    }
    for (const order of this.#strays.of(person)) if (order.remaining > 0) this.#cancelByPhone(order)
    await this.#setRight(person, [...this.#strays.codesOf(person), ...this.#phantoms(person).map(({ code }) => code)])
  }

  /** Whether a stray or a phantom order keeps a person busy with the stock. */
  concerns(person: Person, code: string): boolean {
    return (
      new Set(this.#strays.codesOf(person)).has(code) ||
      this.#phantoms(person).some((order) => order.code === code) ||
      this.#waiting.get(person.userId)?.has(code) === true
    )
  }

  /** At the end people set right what could not be set right before. Returns the stocks that still must wait. */
  async checkEnd(person: Person): Promise<ReadonlySet<string>> {
    const left = this.#waiting.get(person.userId) ?? new Set()
    this.#isMarketOver = true
    if (left.size > 0) await this.#setRight(person, left)
    return this.#waiting.get(person.userId) ?? new Set()
  }

  async #setRight(person: Person, found: Iterable<string>): Promise<void> {
    const codes = new Set(found)
    const waiting = new Set<string>()
    for (let rounds = 0; (await this.#press(person, codes, waiting)) > 0; rounds++) {
      if (rounds === ROUNDS)
        throw new Violation('what is said can be done', `${person.email}: ${[...codes].join(', ')} cannot be set right`)
      await this.#wait(PRESS_INTERVAL_MS)
    }
    this.#waiting.set(person.userId, waiting)
  }

  async #unnoticed(person: Person): Promise<string[]> {
    const found: string[] = []
    const look = async (code: string, what: string, isSaid: (card: Stock) => boolean): Promise<void> => {
      const card = await person.stock(code)
      if (card !== null && isSaid(card)) return
      found.push(`${what} of ${code}; its card: ${card?.reasons.map((reason) => reason.code).join(', ')}`)
    }
    for (const { odno, code, side, remaining, filledCount, at } of this.#strays.of(person)) {
      const what = `the ${side} ${odno}`
      if (filledCount > 0) await look(code, `${what}, filled,`, (card) => this.#isStopped(card, person, at))
      else if (remaining > 0) await look(code, what, (card) => says(card, 'stranger', odno))
    }
    for (const { odno, code, side } of this.#phantoms(person))
      await look(code, `the ${side} ${odno}, which is nowhere,`, (card) => says(card, 'unlisted', odno ?? ''))
    return found
  }

  #phantoms({ userId }: Person) {
    return this.#rows.orders(userId).filter(({ live, odno }) => live && isPhantom(odno))
  }

  /** An older stray may have stopped the stock: this one is known by the time its fill is listed and read. */
  #isStopped(card: Stock, { account }: Person, at: number): boolean {
    const { code, blocked, remainCount } = card
    const { simulation, sim } = this.#stage
    if (simulation.epoch + simulation.now - at < READ_MS) return false
    // Where an order without a verdict keeps shares from being compared, the card says so and nothing is bought.
    if (blocked !== null || isUnbooked(card)) return true
    return remainCount === (sim.holdings(account).find((one) => one.code === code)?.count ?? 0)
  }

  /** In the broker's own app. */
  #cancelByPhone({ account, code, side, division, trigger, venue, routed, odno, remaining }: SimOrder): void {
    const { sim, simulation, brokerProcess, story } = this.#stage
    story.add(`the ${side} ${odno} of ${code} is cancelled by phone`)
    simulation.enter(brokerProcess, () => {
      const { ledger, exchange, clock } = sim.broker
      const what = { account, code, side, division, trigger, venue, routed, count: remaining, price: 0 }
      exchange.send(ledger.accept(clock.now(), { ...what, original: odno, change: 'cancel', reservedPrice: 0 }))
    })
  }

  /** What the cards ask for. Returns how many asked for something: what came of it is seen at the next look. */
  async #press(person: Person, codes: ReadonlySet<string>, waiting: Set<string>): Promise<number> {
    let pressed = 0
    waiting.clear()
    for (const code of codes) {
      const card = await person.stock(code)
      const block = this.#rows.blockOf(person.userId, code)
      const isUnlisted = card !== null && says(card, 'unlisted', '')
      if (block === 'rejects' && this.#isMarketOver) continue
      if (block === null && !isUnlisted) {
        if (card === null || !isUnbooked(card)) continue
        // Not compared yet: the order without a verdict is in the way, or the next look shows what to do.
        if (this.#waitsForOrder(person, card)) waiting.add(code)
        else pressed += 1
        continue
      }
      const isMismatch = block === 'mismatch' && !isUnlisted
      const isToWait = isMismatch || card?.blocked?.includes('정해진 뒤에') === true
      if (isToWait && card !== null && this.#waitsForOrder(person, card)) {
        waiting.add(code)
        continue
      }
      pressed += 1
      const path = `/api/${person.userId}/stock/${code}`
      await this.#admin?.ask('POST', isMismatch ? `${path}/fix-balance` : `${path}/order/apply`)
    }
    return pressed
  }

  /** The card says that an order has no verdict yet, and it cannot have one before its lateness is over: people wait. */
  #waitsForOrder({ userId }: Person, card: Stock): boolean {
    if (!says(card, 'orderUnknown', '')) return false
    const { simulation } = this.#stage
    const since = simulation.epoch + simulation.now - SETTLE_MS
    return this.#rows
      .orders(userId)
      .some(({ code, status, absent_from }) => code === card.code && status === 'unknown' && (absent_from ?? 0) > since)
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, ms))
  }
}

/** The card says that an order which is not in the book has filled. */
const isUnbooked = (card: Stock): boolean => says(card, 'reconciled', '장부에 없는 주문')

/** `odno`: the number that the sentence names. */
const says = ({ reasons }: Stock, word: string, odno: string): boolean =>
  reasons.some(({ code, text }) => code === word && text.includes(odno))
