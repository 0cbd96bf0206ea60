import type { Book, Fact } from '../../src/index.ts'
import type { Broker } from './broker.ts'

/** What may make a stock stand still until a person has looked, gathered from facts and from the broker's own truth. */
export class Troubles {
  /** Stocks with prices of before a split or an ex-rights day, and nobody has settled it. */
  readonly moved = new Set<string>()
  /** The reply to an order of the stock was lost. */
  readonly lost = new Set<string>()
  /** New shares came that the book was not told to wait for: its person left the prices as they were, or deleted the stock. */
  readonly unexpected = new Set<string>()

  /** The morning of a day: which stocks of the book have prices of another share now. */
  beginDay({ stocks }: Broker, book: Book): void {
    for (const [code, { moved }] of stocks) if (moved != null && book.stocks.has(code)) this.moved.add(code)
  }

  credited(code: string, count: number, book: Book | null): void {
    const expected = book?.stocks.get(code)?.expected
    const waitedFor = (expected?.count ?? 0) + (expected?.ofPerson ?? 0)
    if (count > 0 && count !== waitedFor) this.unexpected.add(code)
  }

  learn(fact: Fact, after: Book): void {
    if (fact.kind === 'stockAdded' || fact.kind === 'stockAdjusted' || fact.kind === 'stockThawed')
      this.moved.delete(fact.code)
    if (fact.kind === 'orderLost') this.lost.add(after.orders.get(fact.orderId)?.code ?? '')
  }
}
