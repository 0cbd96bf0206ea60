import type { Fact } from '@digger/kis-sim'
import type { Asked, Person } from '../people/person.ts'
import type { Stage } from '../stage.ts'
import { isExcused } from './excuses.ts'
import type { CommittedRows } from './rows.ts'
import { Violation } from '../violation.ts'

interface Before {
  /** The newest order of the account. */
  readonly order: number
  /** Broker numbers of the orders a cancel is for. */
  readonly live: readonly string[]
}

const SALE = /^\/api\/user\/stock\/(\w{6})\/(?:trade\/\d+\/)?sell(?:\/(?:price|current-price|market-price))?(?:\?|$)/
/** A sale of many orders that went out in part says of how many. */
const IN_PART = /매도 주문 \d+건 가운데 (\d+)건을 냈고/
const CANCEL = /^\/api\/user\/balance\/cancel(?:\/([\w-]+))?(?:\?code=(\w{6}))?$/
/** An order that a person cancelled is asked again until it is over: in calm by then, ms. */
const CANCELLED_MS = 30_000
/** A server that began anew, or a line that was cut, is well again so long after the fault, ms. */
const RECOVERY_MS = 60_000

/** People's sales and cancels: what was answered with ok was done; what was refused was not. */
export class TradesAsked {
  readonly #stage: Stage
  readonly #people: readonly Person[]
  readonly #rows: CommittedRows
  readonly #facts: readonly Fact[]
  readonly #before = new WeakMap<Asked, Before>()

  constructor(stage: Stage, people: readonly Person[], rows: CommittedRows, facts: readonly Fact[]) {
    this.#stage = stage
    this.#people = people
    this.#rows = rows
    this.#facts = facts
  }

  asks(person: Person, one: Asked): void {
    if (one.method !== 'POST' || person.userId === '') return
    const [cancel, odno, code] = CANCEL.exec(one.path) ?? []
    const isSale = SALE.test(one.path)
    if (cancel === undefined && !isSale) return
    if (!this.#rows.readable) {
      this.#stage.looks.count(isSale ? 'sales asked for' : 'cancels asked for', false)
      return
    }
    const orders = this.#rows.orders(person.userId)
    const live = orders.filter(
      (row) =>
        cancel !== undefined &&
        row.live &&
        row.odno !== null &&
        (odno === undefined || row.odno === odno) &&
        (code === undefined || row.code === code),
    )
    this.#before.set(one, { order: orders.at(-1)?.id ?? 0, live: live.flatMap((row) => row.odno ?? []) })
  }

  answered(person: Person, one: Asked): void {
    const before = this.#before.get(one)
    if (before === undefined) return
    const { status, text } = one.answer ?? { status: 0, text: '' }
    const code = SALE.exec(one.path)?.[1]
    if (code === undefined) return status === 200 ? this.#awaitCancel(person, one, before) : undefined
    const { looks } = this.#stage
    const { readable } = this.#rows
    if (status === 200 && looks.count('sales asked for', readable)) this.#sold(person, one, code, before)
    if (status < 400 || status >= 500) return
    if (looks.count('refused sales', readable && !this.#mayBeTaken(one, code, text)))
      this.#notSold(person, one, code, text)
  }

  /** An order of a person's came of it; one that never reached the exchange says why. Resting at its target it may be already. */
  #sold(person: Person, one: Asked, code: string, { order }: Before): void {
    const sales = this.#rows.ordersOf(person.userId, code).filter((row) => row.side === 'sell')
    const came = sales.some((row) => row.id > order && row.origin === 'person' && (row.odno !== null || !row.live))
    const atTarget = one.path.endsWith('/sell')
    if (came || (atTarget && sales.some(({ odno, live }) => odno !== null || live))) return
    throw new Violation('ok means done', `${person.email}: ${one.path} was answered with ok, and no order came of it`)
  }

  /** The words say that a part was taken, or another request asked for the same. */
  #mayBeTaken(one: Asked, code: string, text: string): boolean {
    const { simulation } = this.#stage
    if (text.includes('접수되었') || text.includes('확인하고 있습니다')) return true
    return this.#people
      .flatMap(({ asked }) => asked)
      .some(
        (other) =>
          other !== one && mayBeSaleOf(other, code) && (other.answeredAt ?? simulation.now) >= one.at - RECOVERY_MS,
      )
  }

  /** The exchange has nothing of it, or no more than the words say. */
  #notSold(person: Person, one: Asked, code: string, text: string): void {
    const { simulation } = this.#stage
    const reached = this.#facts.filter(
      (fact) =>
        fact.kind === 'accepted' &&
        fact.account === person.account &&
        fact.order.change === null &&
        fact.order.code === code &&
        fact.order.side === 'sell' &&
        fact.at - simulation.epoch >= one.at &&
        this.#isPersons(person, fact.order.odno),
    )
    const placed = Number(IN_PART.exec(text)?.[1] ?? 0)
    if (reached.length > placed)
      throw new Violation(
        'refused means not done',
        `${person.email}: ${one.path} has ${reached.length} orders, answered was ${text}`,
      )
  }

  #isPersons(person: Person, odno: string): boolean {
    return this.#rows.orders(person.userId).some((row) => row.odno === odno && row.origin === 'person')
  }

  #awaitCancel(person: Person, one: Asked, { live }: Before): void {
    const { simulation, plan, looks } = this.#stage
    if (!looks.count('cancels asked for', live.length > 0)) return
    simulation.after(CANCELLED_MS, null, () => {
      const late = isExcused(plan, 'late', one.at, simulation.now, RECOVERY_MS)
      const again = plan.calmAt + RECOVERY_MS + CANCELLED_MS - simulation.now
      if (late && again > 0) simulation.after(again, null, () => this.#lookForLive(person, one, live))
      else this.#lookForLive(person, one, live)
    })
  }

  #lookForLive(person: Person, one: Asked, live: readonly string[]): void {
    const first = this.#stage.sim.liveOrders(person.account).find(({ odno }) => live.includes(odno))
    if (first === undefined) return
    const what = `${first.side} ${first.remaining} of ${first.code} (${first.odno}) is live`
    this.#stage.simulation.fail(
      new Violation('ok means done', `${person.email}: ${one.path} was answered with ok, ${what}`),
    )
  }
}

/** An administrator sells everything of everybody. */
const mayBeSaleOf = ({ path }: Asked, code: string): boolean =>
  SALE.exec(path)?.[1] === code || path.endsWith('/order/sell')
