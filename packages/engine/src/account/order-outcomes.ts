import { OutcomeUnknown, Refused } from '@digger/contract'
import type { Book, CommandResult, Order } from '@digger/core'
import type { Clock } from '@digger/database'
import { type Command } from '../accounts.ts'

type OrderStatus = Order['status']

/**
 * The broker answers an order within seconds or not at all; then the person learns that the outcome is being checked, ms. Of
 * several orders one leaves after the other, on paper every two seconds: the time begins anew with each verdict.
 */
const OUTCOME_TIMEOUT_MS = 15_000
/** A cancel is confirmed by the next reading; people wait no longer than this for it, ms. */
const CANCEL_TIMEOUT_MS = 3_000

/** Lets people's requests wait for what became of the orders they made. */
export class OrderOutcomes {
  readonly #clock: Clock
  /** What each who waits makes of a durable change. */
  readonly #waiting = new Set<(book: Book) => void>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** After a durable change. */
  follow(book: Book): void {
    for (const waiting of this.#waiting) waiting(book)
  }

  /** Waits for the outcome that a person's request asks for: of its orders, and the end of what it cancelled. */
  async settled(
    before: Book,
    book: Book,
    command: Command,
    answer: Extract<CommandResult, { ok: true }>,
  ): Promise<void> {
    if (answer.orderIds.length > 0) await this.accepted(book, answer.orderIds)
    if (command.kind !== 'cancelOrder' && command.kind !== 'cancelOrders' && command.kind !== 'stopAll') return
    const fresh = [...book.orders.values()].filter(
      ({ id, status }) => status === 'cancelling' && before.orders.get(id)?.status === 'open',
    )
    const ended = this.cancelled(
      book,
      fresh.map((order) => order.id),
    )
    // The stop holds whatever became of the cancels: what is not over yet is cancelled again.
    await (command.kind === 'stopAll' ? ended.catch(() => undefined) : ended)
  }

  /**
   * Ends once every order has its verdict: resolves when all were accepted (or are over); throws REJECTED with the broker's own
   * message, also with numbers when it took some of them, and OutcomeUnknown while one has no verdict.
   */
  accepted(book: Book, orderIds: readonly number[]): Promise<void> {
    return this.#until(book, orderIds, 'intended', OUTCOME_TIMEOUT_MS, refuseUnlessTaken)
  }

  /** Resolves when no order is being cancelled any more, or after a short while; throws why one of them is not cancelled. */
  cancelled(book: Book, orderIds: readonly number[]): Promise<void> {
    return this.#until(book, orderIds, 'cancelling', CANCEL_TIMEOUT_MS, refuseUnlessCancelled)
  }

  /** Until no order has this status, or none has lost it for so many ms: then `judge` throws what went wrong, or all is well. */
  async #until(
    book: Book,
    orderIds: readonly number[],
    status: OrderStatus,
    ms: number,
    judge: (orders: readonly Order[]) => void,
  ): Promise<void> {
    const ordersOf = (now: Book): Order[] => orderIds.flatMap((id) => now.orders.get(id) ?? [])
    const countLeft = (): number => orders.filter((order) => order.status === status).length
    let orders = ordersOf(book)
    if (countLeft() > 0) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const end = (): void => {
        this.#waiting.delete(follow)
        stopTimer()
        resolve()
      }
      let stopTimer = this.#clock.after(ms, end)
      const follow = (now: Book): void => {
        const before = countLeft()
        orders = ordersOf(now)
        const left = countLeft()
        if (left === 0) return end()
        if (left >= before) return
        stopTimer()
        stopTimer = this.#clock.after(ms, end)
      }
      this.#waiting.add(follow)
      await promise
    }
    judge(orders)
  }
}

function refuseUnlessCancelled(orders: readonly Order[]): void {
  const refused = orders.filter(({ status, note }) => status === 'open' && note !== null)
  const filled = orders.filter(({ status }) => status === 'filled')
  const of = ({ length }: readonly Order[]): string =>
    orders.length === 1 ? '' : `주문 ${orders.length}건 가운데 ${length}건은 `
  const texts = [
    ...refused
      .slice(0, 1)
      .map(({ note }) => `${of(refused)}취소가 되지 않았습니다: ${note} 주문이 남아 있으면 곧 다시 취소합니다.`),
    ...filled.slice(0, 1).map(() => `${of(filled)}그사이 모두 체결되어 취소하지 못했습니다.`),
  ]
  if (texts.length > 0) throw new Refused('REJECTED', texts.join(' '))
}

function refuseUnlessTaken(orders: readonly Order[]): void {
  const has = (wanted: OrderStatus): boolean => orders.some(({ status }) => status === wanted)
  if (has('unknown'))
    throw new OutcomeUnknown('주문 결과를 알 수 없어 증권사 기록을 확인하고 있습니다. 다시 주문하지 마세요.')
  if (has('intended'))
    throw new OutcomeUnknown('증권사의 답이 늦어 주문 결과를 확인하고 있습니다. 주문 목록에서 확인해 주세요.')
  const failed = orders.filter(({ status }) => status === 'rejected' || status === 'notPlaced')
  const [first] = failed
  if (first === undefined) return
  const [code, text] =
    first.status === 'rejected'
      ? (['REJECTED', first.note ?? '증권사가 주문을 거절했습니다.'] as const)
      : (['CONFLICT', first.note ?? '주문이 나가지 않았습니다.'] as const)
  if (failed.length === orders.length) throw new Refused(code, text)
  const taken = `주문 ${orders.length}건 가운데 ${orders.length - failed.length}건은 접수되었고`
  const rest = `${failed.length}건은 접수되지 않았습니다: ${text} 주문 목록을 확인해 주세요.`
  throw new Refused(code, `${taken} ${rest}`)
}
