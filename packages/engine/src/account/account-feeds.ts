import { pricesOf, type Book, type Fact, type PricedBy } from '@digger/core'
import type { Broker } from '../broker/connector.ts'
import type { TradingConditions } from '../conditions.ts'
import { AnnouncementFeed, IssueFeed, PriceFeed } from '@digger/prices'
import type { AccountMailbox } from './mailbox.ts'

/** What one account's broker tells of its stocks, beside orders: prices, limits, and what each stock is. */
export class AccountFeeds {
  readonly #prices: PriceFeed
  readonly #issues: IssueFeed
  readonly #announcements: AnnouncementFeed

  constructor(
    { rest, socket }: Broker,
    { clock, env, prices, closings, timetables, issues, announcements }: TradingConditions,
    mailbox: Pick<AccountMailbox, 'post' | 'account'>,
    problem: (error: unknown) => void,
  ) {
    const timetable = () => timetables.current
    const marketOf = (code: string): PricedBy =>
      pricesOf(mailbox.account, { now: clock.now(), env, timetable: timetable() }, code)
    this.#prices = new PriceFeed({ rest, socket, clock, prices, marketOf, closings, timetables, problem })
    this.#announcements = new AnnouncementFeed({ rest, clock, known: announcements, timetable, problem })
    this.#issues = new IssueFeed({
      rest,
      clock,
      known: issues,
      timetable,
      found: ({ code, name, kind, market, nxt }) =>
        mailbox.post({ kind: 'issue', code, name, issue: { code, kind, market, nxt } }),
      problem,
    })
  }

  get busy(): boolean {
    return this.#prices.busy || this.#issues.busy || this.#announcements.busy
  }

  /** The broker is taken away: what is asked in the background is given up. */
  end(): void {
    this.#prices.end()
  }

  arrange(book: Book): void {
    this.#prices.arrange(book)
  }

  /** About once a second. */
  tick(book: Book): void {
    this.#prices.tick(book)
    this.#issues.tick(book)
    this.#announcements.tick(book)
  }

  /** After a durable change: an order refused for its limits or a halt says that they are others than we know. */
  follow(facts: readonly Fact[], book: Book): void {
    for (const fact of facts) {
      if (fact.kind !== 'orderEnded' || (fact.cause !== 'priceLimit' && fact.cause !== 'halted')) continue
      const code = book.orders.get(fact.orderId)?.code
      if (code !== undefined) this.#prices.readAgain(code)
    }
    if (facts.some(changesFeed)) this.arrange(book)
  }
}

const CHANGES_FEED: ReadonlySet<Fact['kind']> = new Set([
  'stockAdded',
  'stockRemoved',
  'subscribed',
  'settingsSaved',
  'stockAdjusted',
  'lotBought',
  'lotSold',
])
const changesFeed = ({ kind }: Fact): boolean => CHANGES_FEED.has(kind)
