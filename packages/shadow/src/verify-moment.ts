import { isLive, type Book, type Fact } from '@digger/core'

/**
 * What one moment must bring to its end. The facts of a step have one instant, and in a rehearsal nothing is on its way between two
 * steps: an order is accepted in the step that makes it, a cancel is done in the one that asks for it, and what is filled wholly ends
 * in the one that fills it, which for an automatic buy moves the reference, too.
 */
export class VerifyMoment {
  #at: number | null = null
  readonly #orders = new Set<number>()
  /** Stocks whose reference moved. */
  readonly #moved = new Set<string>()

  /** Before each fact, with the book before it. Returns what the moment before has left, when the fact is of another. */
  next(book: Book, fact: Fact): string[] {
    const left = this.#at === fact.at ? [] : this.end(book)
    this.#at = fact.at
    if (fact.kind === 'orderIntended') this.#orders.add(fact.order.id)
    else if ('orderId' in fact) this.#orders.add(fact.orderId)
    if (fact.kind === 'referenceMoved') this.#moved.add(fact.code)
    return left
  }

  /** After the last one. */
  end(book: Book): string[] {
    const left = [...this.#orders].flatMap((id) => this.#whyNotOver(book, id) ?? [])
    this.#orders.clear()
    this.#moved.clear()
    return left
  }

  #whyNotOver({ orders }: Book, id: number): string | null {
    const order = orders.get(id)
    if (order === undefined) return null
    const { code, side, origin, status, filledCount, count } = order
    if (isLive(status) && status !== 'open') return `order ${id} was left ${status}`
    if (isLive(status) && filledCount >= count) return `order ${id} is filled and did not end`
    const isStep = status === 'filled' && side === 'buy' && origin === 'auto'
    return isStep && !this.#moved.has(code) ? `order ${id} has moved no reference` : null
  }
}
