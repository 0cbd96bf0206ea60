import { OutcomeUnknown, Refused } from '@digger/contract'
import { isLive, type CommandResult, type Book } from '@digger/core'
import type { Clock } from '@digger/database'
import { type Command } from '../accounts.ts'

interface Waiting {
  /** True when settled; throws when it went wrong. */
  readonly check: (book: Book) => boolean
  readonly done: () => void
  readonly failed: (error: unknown) => void
}

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
  readonly #waiting = new Set<Waiting>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** After a durable change. */
  follow(book: Book): void {
    for (const waiting of this.#waiting) {
      try {
        if (waiting.check(book)) waiting.done()
      } catch (error) {
        waiting.failed(error)
      }
    }
  }

  /** Waits for the outcome that a person's request asks for: of its orders, and the end of what it cancelled. */
  async settled(
    before: Book,
    book: Book,
    command: Command,
    answer: Extract<CommandResult, { ok: true }>,
  ): Promise<void> {
    if (answer.orderIds.length > 0) await this.accepted(book, answer.orderIds)
    if (command.kind !== 'cancelOrder' && command.kind !== 'cancelOrders') return
    const fresh = [...book.orders.values()].filter(
      ({ id, status }) => status === 'cancelling' && before.orders.get(id)?.status === 'open',
    )
    await this.cancelled(
      book,
      fresh.map((order) => order.id),
    )
  }

  /** Resolves when every order is accepted (or over); throws REJECTED with the broker's own message, OutcomeUnknown without any. */
  accepted(book: Book, orderIds: readonly number[]): Promise<void> {
    return this.#until(
      book,
      OUTCOME_TIMEOUT_MS,
      (now) => orderIds.filter((id) => !isAccepted(now, id)).length,
      () => {
        throw new OutcomeUnknown('증권사의 답이 늦어 주문 결과를 확인하고 있습니다. 주문 목록에서 확인해 주세요.')
      },
    )
  }

  /** Resolves when no order is being cancelled any more, or after a short while; throws the broker's message when it refused. */
  cancelled(book: Book, orderIds: readonly number[]): Promise<void> {
    return this.#until(
      book,
      CANCEL_TIMEOUT_MS,
      (now) => (orderIds.every((id) => isCancelled(now, id)) ? 0 : 1),
      () => {},
    )
  }

  /** Resolves when nothing is left, or `late` lets it once nothing has become less for so many ms. */
  #until(book: Book, ms: number, left: (book: Book) => number, late: () => void): Promise<void> {
    return new Promise((resolve, reject) => {
      let open = Number.POSITIVE_INFINITY
      const forget = (): void => {
        this.#waiting.delete(waiting)
        stop()
      }
      const done = (): void => {
        forget()
        resolve()
      }
      const failed = (error: unknown): void => {
        forget()
        reject(error)
      }
      const timer = (): (() => void) =>
        this.#clock.after(ms, () => {
          try {
            late()
            done()
          } catch (error) {
            failed(error)
          }
        })
      let stop = timer()
      const check = (now: Book): boolean => {
        const count = left(now)
        if (count < open) {
          stop()
          stop = timer()
        }
        open = count
        return count === 0
      }
      const waiting: Waiting = { check, done, failed }
      this.#waiting.add(waiting)
      this.follow(book)
    })
  }
}

function isCancelled(book: Book, id: number): boolean {
  const order = book.orders.get(id)
  if (order?.status === 'open' && order.note !== null) {
    throw new Refused('REJECTED', `취소가 되지 않았습니다: ${order.note} 주문이 남아 있으면 곧 다시 취소합니다.`)
  }
  return order?.status !== 'cancelling'
}

function isAccepted(book: Book, id: number): boolean {
  const order = book.orders.get(id)
  if (order === undefined) return true
  if (order.status === 'rejected') throw new Refused('REJECTED', order.note ?? '증권사가 주문을 거절했습니다.')
  if (order.status === 'notPlaced') throw new Refused('CONFLICT', order.note ?? '주문이 나가지 않았습니다.')
  if (order.status === 'unknown') {
    throw new OutcomeUnknown('주문 결과를 알 수 없어 증권사 기록을 확인하고 있습니다. 다시 주문하지 마세요.')
  }
  return order.status !== 'intended' || !isLive(order.status)
}
