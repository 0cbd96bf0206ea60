import type { AccountEvent, Book, Effect, Order, Reading } from '@digger/core'
import { KisError, outcomeOf, ProtocolError, type KisExecution, type KisRest, type KisSocket } from '@digger/kis'
import { type Lease, bootNow } from '@digger/database'

/** The broker of one account: REST calls and the one socket of its key. */
export interface Broker {
  readonly rest: KisRest
  readonly socket: KisSocket
}

export interface LinkWorld {
  readonly now: () => number
  readonly post: (event: Exclude<AccountEvent, { kind: 'command' }>) => void
  readonly refuseNow: (order: Order) => string | null
  /** The right to trade these accounts. */
  readonly lease: Lease
  readonly env: 'real' | 'paper'
  readonly balanceRead: (depositAmount: number) => void
}

/** An automatic buy that waited longer than this for its turn acts on a price that is gone, ms. */
const STALE_BUY_MS = 5_000
/**
 * Any order leaves within this long of its commit, or not at all, ms by boot time: a process that stood still must not go on
 * where it stopped. On paper two seconds lie between two orders, and twenty may wait.
 */
const STALE_ORDER_MS = { real: 10_000, paper: 60_000 } as const
/** Rounds of executions–balance–executions before the holdings are left for the next reading. */
const STEADY_ROUNDS = 3

/** Which days' lists are wanted (`YYYYMMDD`), and whether the holdings too. */
type Wanted = Omit<Extract<Effect, { kind: 'read' }>, 'kind'>

/**
 * Runs effects on the wire and posts what comes of them. Whatever happens, every effect ends in exactly one event; readings
 * that were asked for while one was under way end in one together.
 */
export class Link {
  readonly broker: Broker
  readonly #world: LinkWorld
  #inFlight = 0
  #checking: Promise<Reading> | null = null
  /** Ends when the last reading that was begun or waits has ended; null when there is none. */
  #lastReading: Promise<unknown> | null = null
  /** What the reading that waits for its turn has to bring. */
  #wanted: Wanted | null = null
  #readAt = performance.now()
  /** Counted since the broker was given. */
  cashQuestions = 0
  listsRead = 0

  constructor(broker: Broker, world: LinkWorld) {
    this.broker = broker
    this.#world = world
  }

  /** Since the broker's lists were last read to the end, or since there is a broker, real ms. */
  get listAge(): number {
    return performance.now() - this.#readAt
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** What was asked on either wire and has no answer yet. */
  get unanswered(): number {
    return this.broker.rest.unanswered + this.broker.socket.unanswered
  }

  /** Runs an effect of a step that was committed just now. */
  perform(effect: Exclude<Effect, { kind: 'answer' }>, book: Book): void {
    this.#inFlight += 1
    void this.#finish(effect, book)
  }

  async #finish(effect: Exclude<Effect, { kind: 'answer' }>, book: Book): Promise<void> {
    const event = await this.#run(effect, book)
    this.#inFlight -= 1
    if (event === null) return
    this.#world.post(event)
    // After the post: the lots of the same moment are in the book once the mailbox has worked through it.
    if (event.kind === 'reading' && event.reading.balance) this.#world.balanceRead(event.reading.balance.depositAmount)
  }

  #run(
    effect: Exclude<Effect, { kind: 'answer' }>,
    book: Book,
  ): Promise<Exclude<AccountEvent, { kind: 'command' }> | null> {
    switch (effect.kind) {
      case 'send':
        return this.#send(book.orders.get(effect.orderId))
      case 'cancel':
        return this.#cancel(book.orders.get(effect.orderId))
      case 'read':
        return this.#read(effect)
      case 'askCash':
        return this.#askCash(effect.code)
    }
  }

  async #send(order: Order | undefined): Promise<Exclude<AccountEvent, { kind: 'command' }> | null> {
    if (order === undefined) return null
    const orderId = order.id
    const committedAt = bootNow()
    try {
      const { odno, orgno } = await this.broker.rest.order(order, () => this.#refuseNow(order, committedAt))
      return { kind: 'accepted', orderId, odno, orgno }
    } catch (error) {
      const text = wordsOf(error)
      const outcome = outcomeOf(error)
      return { kind: outcome, orderId, text }
    }
  }

  /** Asked in the turn of the socket write, and before each try. */
  #refuseNow(order: Order, committedAt: number): string | null {
    const world = this.#world
    const words = world.refuseNow(order)
    if (words !== null) return words
    if (!world.lease.held()) return '이 서버가 계좌를 맡고 있는지 확인되지 않아 보내지 않았습니다.'
    if (bootNow() - committedAt > STALE_ORDER_MS[world.env])
      return '차례를 기다리다 너무 늦어 보내지 않았습니다. 다시 해 주세요.'
    const stale = order.side === 'buy' && order.origin === 'auto' && world.now() - order.createdAt > STALE_BUY_MS
    return stale ? '차례를 기다리는 사이 가격이 낡아 보내지 않았습니다.' : null
  }

  async #cancel(order: Order | undefined): Promise<Exclude<AccountEvent, { kind: 'command' }> | null> {
    if (order === undefined || order.odno === null) return null
    const { odno, type, session, venue } = order
    try {
      await this.broker.rest.cancel({ odno, orgno: order.orgno ?? '', type, session, venue })
      return { kind: 'cancelDone', orderId: order.id }
    } catch (error) {
      return { kind: 'cancelFailed', orderId: order.id, text: wordsOf(error) }
    }
  }

  /**
   * One at a time. An account that was read again from the tables does not know of a reading under way and asks anew: side
   * by side they would share the ledger's one call a second, and each that ends asks for one more.
   */
  async #read(asked: Wanted): Promise<Exclude<AccountEvent, { kind: 'command' }> | null> {
    if (this.#wanted !== null) {
      this.#wanted = both(this.#wanted, asked)
      return null
    }
    this.#wanted = asked
    return this.#inTurn(() => {
      const wanted = this.#wanted ?? asked
      this.#wanted = null
      return this.#readNow(wanted)
    })
  }

  #inTurn<T>(read: () => Promise<T>): Promise<T> {
    const turn = this.#lastReading === null ? read() : this.#lastReading.then(read)
    const ended: Promise<unknown> = turn.then(nothing, nothing).finally(() => {
      if (this.#lastReading === ended) this.#lastReading = null
    })
    this.#lastReading = ended
    return turn
  }

  async #readNow({ from, to, compare }: Wanted): Promise<Exclude<AccountEvent, { kind: 'command' }>> {
    try {
      return { kind: 'reading', reading: await this.read(from, to, compare) }
    } catch (error) {
      return { kind: 'readingFailed', text: wordsOf(error) }
    }
  }

  /**
   * The broker's list of orders, and with `compare` its holdings too: taken between two equal lists, so that no fill
   * slipped in between. Without such a quiet moment the holdings are left out.
   */
  async read(from: string, to: string, compare: boolean): Promise<Reading> {
    const reading = await this.#readLists(from, to, compare)
    this.#readAt = performance.now()
    this.listsRead += 1
    return reading
  }

  async #readLists(from: string, to: string, compare: boolean): Promise<Reading> {
    const before = this.#world.now()
    let executions = await this.broker.rest.executions({ from, to })
    // From when it left: what it waited for its turn makes it no older.
    let askedAt = executions.leftAt ?? before
    if (!compare) return { askedAt, from, to, executions, balance: null }
    for (let round = 0; round < STEADY_ROUNDS; round += 1) {
      const { holdings, depositAmount } = await this.broker.rest.balance()
      const after = await this.broker.rest.executions({ from, to })
      if (sameFills(executions, after)) {
        return { askedAt, from, to, executions: after, balance: { holdings, depositAmount } }
      }
      askedAt = after.leftAt ?? askedAt
      executions = after
    }
    return { askedAt, from, to, executions, balance: null }
  }

  async #askCash(code: string): Promise<Exclude<AccountEvent, { kind: 'command' }>> {
    try {
      return { kind: 'cash', ...(await this.cash(code)) }
    } catch {
      return { kind: 'cashFailed' }
    }
  }

  /** Won that may be spent without credit, whatever stock the question names, and when it left. */
  async cash(code: string): Promise<{ amount: number; askedAt: number }> {
    this.cashQuestions += 1
    const { amount, cash, leftAt } = await this.broker.rest.buyable(code)
    return { amount: Math.min(amount, cash), askedAt: leftAt }
  }

  /** As `read` with `compare`; people who ask while such a reading is under way share it: each takes seconds of the ledger. */
  check(from: string, to: string): Promise<Reading> {
    this.#checking ??= this.#inTurn(() => this.read(from, to, true)).finally(() => (this.#checking = null))
    return this.#checking
  }
}

/** What becomes of an effect when the broker was taken away before it ran: nothing left, and the account is told. */
export function withoutLink(effect: Exclude<Effect, { kind: 'answer' }>): Exclude<AccountEvent, { kind: 'command' }> {
  const text = '증권사 연결이 닫혀 보내지 않았습니다.'
  switch (effect.kind) {
    case 'send':
      return { kind: 'notSent', orderId: effect.orderId, text }
    case 'cancel':
      return { kind: 'cancelFailed', orderId: effect.orderId, text }
    case 'read':
      return { kind: 'readingFailed', text }
    case 'askCash':
      return { kind: 'cashFailed' }
  }
}

const nothing = (): void => undefined

const both = (one: Wanted, other: Wanted): Wanted => ({
  from: one.from < other.from ? one.from : other.from,
  to: one.to > other.to ? one.to : other.to,
  compare: one.compare || other.compare,
})

const sameFills = (a: readonly KisExecution[], b: readonly KisExecution[]): boolean =>
  a.length === b.length && a.every((row, i) => row.odno === b[i]?.odno && row.filledCount === b[i].filledCount)

/** The broker's own words where it spoke, ours where nobody did; what only an engineer understands stays in the log. */
export const wordsOf = (error: unknown): string =>
  error instanceof KisError && !(error instanceof ProtocolError) ? error.message : '증권사의 답을 읽지 못했습니다.'
