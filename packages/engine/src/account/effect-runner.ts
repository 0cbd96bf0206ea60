import type { Order } from '@digger/core'
import { isNothingLeft, outcomeOf, refusalCause } from '@digger/kis'
import { bootNow } from '@digger/database'
import type { TradingConditions } from '../conditions.ts'
import type { Broker } from '../broker/connector.ts'
import { isForPeople, messageOf } from '@digger/kis'
import type { MarketClock } from '../broker/steady-clock.ts'
import { BrokerLists } from './broker-lists.ts'
import type { Effects, OutsideEvent, WantedLists, WantedStock } from './effects.ts'
import { FailureReport } from './failure-report.ts'
import { LastLook, type LastLookParts } from './last-look.ts'

interface EffectParts extends LastLookParts {
  readonly conditions: LastLookParts['conditions'] & Pick<TradingConditions, 'timetables'>
}

/** Runs effects on the wire of one account's broker. */
export class EffectRunner implements Effects {
  readonly broker: Broker
  readonly lists: BrokerLists
  readonly #parts: EffectParts
  readonly #problem: (error: unknown) => void
  readonly #cashFailures: FailureReport
  authorised = false
  /** Requests for buying power since the broker was attached; operators read the name in /health and as digger_cash_questions. */
  cashQuestions = 0

  /** `problem` gets what only an engineer understands. */
  constructor(broker: Broker, parts: EffectParts, clock: MarketClock, problem: (error: unknown) => void) {
    this.broker = broker
    const { mailbox, conditions } = parts
    const reader = { book: () => mailbox.account.book, timetable: () => conditions.timetables.current }
    this.lists = new BrokerLists(broker.rest, clock, reader, problem)
    this.#parts = parts
    this.#problem = problem
    this.#cashFailures = new FailureReport(problem)
  }

  /** What was asked on either wire and has no answer yet. */
  get unanswered(): number {
    return this.broker.rest.unanswered + this.broker.socket.unanswered
  }

  async send(order: Order): Promise<OutsideEvent> {
    const orderId = order.id
    const lastLook = new LastLook(this.#parts, order, bootNow())
    try {
      const { odno, orgno } = await this.broker.rest.order(order, lastLook)
      return { kind: 'accepted', orderId, odno, orgno }
    } catch (error) {
      const [kind, text] = [outcomeOf(error), this.#messageOf(error)]
      return kind === 'refused' ? { kind, orderId, text, cause: refusalCause(error) } : { kind, orderId, text }
    }
  }

  async cancel({ id, odno, orgno, type, session, venue }: Order): Promise<OutsideEvent> {
    // The account cancels what the broker gave a number; an order without one cannot be named to it.
    if (odno === null) return { kind: 'cancelFailed', orderId: id, text: '증권사 주문번호를 아직 모릅니다.' }
    try {
      await this.broker.rest.cancel({ odno, orgno: orgno ?? '', type, session, venue })
      return { kind: 'cancelDone', orderId: id }
    } catch (error) {
      return { kind: 'cancelFailed', orderId: id, text: this.#messageOf(error), nothingLeft: isNothingLeft(error) }
    }
  }

  read(wanted: WantedLists | WantedStock): Promise<OutsideEvent | null> {
    return 'code' in wanted ? this.lists.readStock(wanted) : this.lists.readInTurn(wanted)
  }

  async askCash(code: string): Promise<OutsideEvent> {
    try {
      const cash = await this.cash(code)
      this.#cashFailures.succeeded()
      return { kind: 'cash', ...cash }
    } catch (error) {
      this.#cashFailures.failed(error)
      return { kind: 'cashFailed', text: messageOf(error) }
    }
  }

  /** Won that may be spent without credit, whatever stock the question names, and when it left. */
  async cash(code: string): Promise<{ amount: number; askedAt: number }> {
    this.cashQuestions += 1
    const { amount, cash, leftAt } = await this.broker.rest.buyable(code)
    return { amount: Math.min(amount, cash), askedAt: leftAt }
  }

  #messageOf(error: unknown): string {
    if (!isForPeople(error)) this.#problem(error)
    return messageOf(error)
  }
}
