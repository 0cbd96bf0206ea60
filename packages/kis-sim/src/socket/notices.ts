import type { Account, SimOrder } from '../ledger/account.ts'
import type { Fact } from '../ledger/facts.ts'
import { BRANCH } from '../rest/orders.ts'
import type { Broker } from '../broker/broker.ts'
import { noticeRecord, type NoticeContext } from './frames.ts'

/** Delivers one notice in plain text to the sessions registered for the account. */
type Deliver = (account: Account, record: string) => void

type NoticeFields = Pick<NoticeContext, 'count' | 'price' | 'refused' | 'fill' | 'acceptance'>

/** Sends customers the notices of their orders, in the order things happen, under the faults in force. */
export class Notices {
  readonly #broker: Broker
  readonly #deliver: Deliver
  /** Held-back notices by account, and how many holders there are. */
  readonly #held = new Map<string, { holders: number; waiting: (() => void)[] }>()
  /** Instant at which the last notice of an account is due: without a fault none overtakes another. */
  readonly #due = new Map<string, number>()
  readonly #reordered = new Map<string, () => void>()

  constructor(broker: Broker, deliver: Deliver) {
    this.#broker = broker
    this.#deliver = deliver
    broker.ledger.onFact((fact, account) => {
      if (account) this.#onFact(fact, account)
    })
    broker.exchange.listen({ arrived: (order) => this.#onArrival(order) })
  }

  /** Notices of an account wait until the returned function is called. */
  hold(account: string): () => void {
    const held = this.#held.get(account) ?? { holders: 0, waiting: [] }
    held.holders++
    this.#held.set(account, held)
    return () => {
      held.holders--
      if (held.holders > 0) return
      this.#held.delete(account)
      for (const send of held.waiting) send()
    }
  }

  #onArrival(order: SimOrder): void {
    const account = this.#broker.ledger.account(order.account)
    this.#notice(account, order, {
      count: order.count,
      price: order.price,
      refused: false,
      fill: false,
      acceptance: '1',
    })
  }

  #onFact(fact: Fact, account: Account): void {
    if (fact.kind !== 'filled' && fact.kind !== 'reduced') return
    const order = account.order(fact.day, fact.odno)
    if (!order) return
    const receipt = { count: fact.count, price: order.price, refused: false, fill: false } as const
    if (fact.kind === 'filled') {
      this.#notice(account, order, { ...receipt, price: fact.price, fill: true, acceptance: '2' })
      return
    }
    if (fact.why === 'rejected') this.#notice(account, order, { ...receipt, refused: true, acceptance: '1' })
    if (fact.why === 'immediate') this.#notice(account, order, { ...receipt, acceptance: '3' })
    if (fact.why === 'expired' && this.#broker.assumed.decide('expiryNotice'))
      this.#notice(account, order, { ...receipt, acceptance: '3' })
    const change = fact.by === null ? undefined : account.order(fact.day, fact.by)
    // A confirmation carries the number of the change and names the original.
    if (change) this.#notice(account, change, { ...receipt, price: change.price || order.price, acceptance: '2' })
  }

  #notice(account: Account, order: SimOrder, fields: NoticeFields): void {
    const { clock, wire, exchange } = this.#broker
    const record = noticeRecord(
      {
        ...fields,
        order,
        at: clock.now(),
        htsId: account.spec.credentials.htsId,
        ownerName: account.spec.ownerName ?? '홍길동',
        issueName: exchange.issue(order.code).listing.name,
        branch: BRANCH[account.env],
      },
      wire.noticeFields,
    )
    const send = (): void => this.#send(account, record)
    const held = this.#held.get(account.number)
    if (held) held.waiting.push(send)
    else send()
  }

  #send(account: Account, record: string): void {
    const { clock, dice, latency, faults, timeScale } = this.#broker
    const fault = faults.notice(account.number)
    if (fault?.kind === 'dropNotice') return
    const usual = clock.now() + dice.within(latency.notice) * timeScale()
    const due = Math.max(usual, this.#due.get(account.number) ?? 0)
    if (fault?.kind !== 'delayNotice') this.#due.set(account.number, due)
    const wait = due - clock.now() + (fault?.kind === 'delayNotice' ? fault.ms * timeScale() : 0)
    const deliver = (): void => {
      this.#deliver(account, record)
      if (fault?.kind === 'duplicateNotice') this.#deliver(account, record)
      this.#sendOvertaken(account)
    }
    if (fault?.kind === 'reorderNotice') this.#reordered.set(account.number, () => this.#deliver(account, record))
    else if (wait <= 0) deliver()
    else clock.after(wait, deliver)
  }

  /** Sends the notice that was to be overtaken, after the one that overtook it. */
  #sendOvertaken(account: Account): void {
    const late = this.#reordered.get(account.number)
    this.#reordered.delete(account.number)
    late?.()
  }
}
