import { evolve } from './evolve.ts'
import type { Fact } from './facts.ts'
import { isLive, mayMove, type OrderMove } from './order-status.ts'
import type { Account, Context, Effect } from './step-types.ts'
import type { Book, Order, Stock } from './types.ts'
import type { View } from './view.ts'

/** A fact without its time, which the builder adds. */
type Undated<F> = F extends unknown ? Omit<F, 'at'> : never

type ViewChange = { readonly [Group in keyof View]?: Partial<View[Group]> }

/** One step under construction. It is local to `step`, so nobody outside sees it change in place. */
export class StepBuilder {
  book: Book
  view: View
  readonly facts: Fact[] = []
  readonly effects: Effect[] = []
  readonly ctx: Context

  constructor(account: Account, ctx: Context) {
    this.book = account.book
    this.view = account.view
    this.ctx = ctx
  }

  record(undated: Undated<Fact>): void {
    const fact: Fact = { ...undated, at: this.ctx.now }
    this.book = evolve(this.book, fact)
    this.facts.push(fact)
  }

  effect(effect: Effect): void {
    this.effects.push(effect)
  }

  /** Each group that changes is copied, the others stay the very same objects: a group is small, the whole view is not. */
  patchView({ connection, readSchedule, cash, orders, stocks }: ViewChange): void {
    const { view } = this
    this.view = {
      connection: connection === undefined ? view.connection : { ...view.connection, ...connection },
      readSchedule: readSchedule === undefined ? view.readSchedule : { ...view.readSchedule, ...readSchedule },
      cash: cash === undefined ? view.cash : { ...view.cash, ...cash },
      orders: orders === undefined ? view.orders : { ...view.orders, ...orders },
      stocks: stocks === undefined ? view.stocks : { ...view.stocks, ...stocks },
    }
  }

  /** Asks for a reading of the executions no later than `at`. */
  readBy(at: number): void {
    if (this.view.readSchedule.dueAt === null || at < this.view.readSchedule.dueAt)
      this.patchView({ readSchedule: { dueAt: at } })
  }

  stock(code: string): Stock | undefined {
    return this.book.stocks.get(code)
  }

  /** True when the move is legal; otherwise the stock is blocked with the reason. */
  assertMove(order: Order, move: OrderMove): boolean {
    if (mayMove(order.status, move)) return true
    this.block(
      order.code,
      'ambiguous',
      `주문 ${order.id}의 상태(${order.status})에 맞지 않는 소식(${move})이 와서 멈췄습니다.`,
    )
    return false
  }

  block(
    code: string,
    why: 'mismatch' | 'rejects' | 'ambiguous',
    text: string,
    short = false,
    buysOnly?: boolean,
  ): void {
    const now = this.stock(code)?.blocked
    if (now === undefined || (now?.code === why && now.text === text)) return
    // The other two hold back more and need a person's confirmation: a difference in shares must not take their place. A stop
    // of the buys alone holds back less.
    if (why === 'mismatch' && now !== null && now.code !== 'mismatch' && now.buysOnly !== true) return
    this.record({
      kind: 'stockBlocked',
      code,
      blocked: {
        code: why,
        short,
        text,
        at: this.ctx.now,
        ...(buysOnly !== undefined && { buysOnly }),
        ...(now?.untilCorrected === true && { untilCorrected: true }),
      },
    })
  }
}

/** A plain loop, because every price near its next buy runs it over all orders of the day. */
export function liveOrders(book: Book, code: string): Order[] {
  const live: Order[] = []
  for (const order of book.orders.values()) if (order.code === code && isLive(order.status)) live.push(order)
  return live
}

/** True while an order goes on offering what it offers: not when it is being cancelled, or will be as soon as it can. */
export const isOffering = ({ status, cancelWanted }: Order): boolean =>
  isLive(status) && status !== 'cancelling' && !cancelWanted

/** The live order a lot is in, if any. */
export const orderOfLot = (orders: readonly Order[], lotId: number): Order | undefined =>
  orders.find((order) => order.lots.some((lot) => lot.lotId === lotId))
