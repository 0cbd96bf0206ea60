import type { JournalFact, JournalOrder, Stop } from './journal-facts.ts'

/** An order as the journal has it. */
export interface IntendedOrder extends JournalOrder {
  /** When it was written down, epoch ms. */
  readonly at: number
  /** The broker's number without leading zeros, and since when the journal has it. */
  readonly odno: string | null
  readonly numberedAt: number
  readonly filled: number
}

/** A time in which a stop was in force, epoch ms; `to` null: it still is. */
export interface StopTime {
  /** Null: the whole account. */
  readonly code: string | null
  readonly stop: Exclude<Stop, 'active'>
  readonly from: number
  readonly to: number | null
}

/** What the journal says of one account, put together by the watcher's own reading of the facts. */
export class JournalAccount {
  readonly orders: Map<number, IntendedOrder>
  /** Codes in the book, and since when. */
  readonly codes: Map<string, number>
  /** When the server itself last put a stock before a person, and whether it still is. */
  readonly blocks: Map<string, { readonly at: number; readonly inForce: boolean }>
  stops: StopTime[]

  constructor(before?: JournalAccount) {
    this.orders = new Map(before?.orders)
    this.codes = new Map(before?.codes)
    this.blocks = new Map(before?.blocks)
    this.stops = [...(before?.stops ?? [])]
  }

  /** Leaves what a new day does not ask for: orders and stops that are over. */
  forgetPast(): void {
    this.orders.clear()
    for (const [code, { inForce }] of this.blocks) if (!inForce) this.blocks.delete(code)
    this.stops = this.stops.filter(({ to }) => to === null)
  }

  take(fact: JournalFact): void {
    switch (fact.kind) {
      case 'orderIntended':
        this.orders.set(fact.order.id, { ...fact.order, at: fact.at, odno: null, numberedAt: 0, filled: 0 })
        break
      case 'orderAccepted':
      case 'orderFound':
        this.#change(fact.orderId, { odno: fact.odno.replace(/^0+(?=\d)/, ''), numberedAt: fact.at })
        break
      case 'orderFilled':
        this.#change(fact.orderId, { filled: fact.count })
        break
      case 'stockAdded':
        this.codes.set(fact.code, fact.at)
        this.#setStop(fact.code, 'active', fact.at)
        break
      case 'stockRemoved':
        this.codes.delete(fact.code)
        this.#setStop(fact.code, 'active', fact.at)
        break
      case 'stockBlocked':
        if (fact.blocked !== null) this.blocks.set(fact.code, { at: fact.at, inForce: true })
        else this.blocks.set(fact.code, { at: this.blocks.get(fact.code)?.at ?? 0, inForce: false })
        break
      default:
        this.#takeStop(fact)
    }
  }

  #takeStop(
    fact: Extract<JournalFact, { kind: 'userStopped' | 'stockStopped' | 'limitReached' | 'stockLimitReached' }>,
  ) {
    const code = 'code' in fact ? fact.code : null
    if ('stop' in fact) this.#setStop(code, fact.stop, fact.at)
    // A limit stops the buying, and loosens no halt.
    else if (!this.stops.some((one) => one.code === code && one.to === null)) this.#setStop(code, 'reduce', fact.at)
  }

  #setStop(code: string | null, stop: Stop, at: number): void {
    this.stops = this.stops.map((one) => (one.code === code && one.to === null ? { ...one, to: at } : one))
    if (stop !== 'active') this.stops.push({ code, stop, from: at, to: null })
  }

  #change(id: number, change: Partial<IntendedOrder>): void {
    const order = this.orders.get(id)
    if (order !== undefined) this.orders.set(id, { ...order, ...change })
  }
}
