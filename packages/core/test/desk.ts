import {
  dailyLimits,
  emptyBook,
  evolve,
  kstInstant,
  KRX_ONLY,
  newAccount,
  step,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type CommandResult,
  type BrokerBalance,
  type Context,
  type Doubts,
  type DayHours,
  type Effect,
  type Execution,
  type Fact,
  type HeldLot,
  type Issue,
  type ServerLimits,
  type Order,
  type Quote,
  type Settings,
  type Stock,
  type Stop,
  type VenueChoices,
} from '../src/index.ts'
import { EXAMPLE } from './settings.ts'

export const CODE = '005930'
export const DAY = '20261116'
export const ISSUE: Issue = { code: CODE, kind: 'stock', market: 'KOSPI', nxt: false }
const WIDE = { lower: 1, upper: 100_000_000 }
const NO_LIMITS: ServerLimits = {
  orderAmount: null,
  dailyBuyAmount: null,
  ordersPerMinute: null,
  collarPercent: null,
  freshMs: 5_000,
}

/** One account at a desk of its own: time moves only when a test moves it, and the broker reports what the test wants. */
export class Desk {
  now = kstInstant(DAY, 100_000)
  account: Account
  limits: ServerLimits = NO_LIMITS
  serverStop: Stop = 'active'
  env: Context['env'] = 'paper'
  isTimeUnknown = false
  doubts: Doubts | undefined
  shadow = false
  hours: 'krx' | 'always' = 'krx'
  special: ReadonlyMap<string, DayHours> = new Map()
  readonly quotes = new Map<string, Quote>()
  /** What is known of a stock without a price: the day's limits were read. */
  unseen: Quote | undefined = { price: 0, at: 0, live: false, halted: false, band: WIDE, moved: undefined }
  readonly journal: Fact[] = []
  /** What the last step made. */
  effects: readonly Effect[] = []
  facts: readonly Fact[] = []
  #tickets = 0

  /** Armed and authorised, one stock with the settings of the worked example. */
  constructor(settings: Partial<Settings> = {}) {
    this.account = newAccount(emptyBook(DAY))
    this.putFacts({
      kind: 'stockAdded',
      code: CODE,
      name: '삼성전자',
      issue: ISSUE,
      settings: { ...EXAMPLE, ...settings },
      at: this.now,
    })
    this.do({ kind: 'authorised', authorised: true })
    this.read([], [])
    this.wait(2_000)
  }

  get ctx(): Context {
    const { now, env, limits, serverStop, quotes, hours } = this
    const timetable = { hours, closed: new Set<string>(), special: this.special }
    const unknown = this.isTimeUnknown ? ({ isTimeUnknown: true } as const) : {}
    const quote = (code: string): Quote | undefined => quotes.get(code) ?? this.unseen
    const doubts = this.doubts === undefined ? {} : { doubts: this.doubts }
    const shadow = this.shadow ? ({ shadow: true } as const) : {}
    return { now, ...unknown, ...doubts, ...shadow, env, limits, serverStop, timetable, quote }
  }

  get stock(): Stock {
    const stock = this.account.book.stocks.get(CODE)
    if (stock === undefined) throw new Error('the desk has no stock')
    return stock
  }

  get lots(): string[] {
    return this.stock.lots.map((lot) => `${lot.id}: ${lot.count} @ ${lot.buyPrice}`)
  }

  get orders(): string[] {
    return [...this.account.book.orders.values()].map(showOrder)
  }

  get live(): string[] {
    return this.orders.filter((text) => / (intended|unknown|open|cancelling)/.test(text))
  }

  get sent(): number[] {
    return this.effects.flatMap((effect) => (effect.kind === 'send' ? effect.orderId : []))
  }

  get cancels(): number[] {
    return this.effects.flatMap((effect) => (effect.kind === 'cancel' ? effect.orderId : []))
  }

  get reads(): number {
    return this.effects.filter((effect) => effect.kind === 'readLists').length
  }

  get results(): CommandResult[] {
    return this.effects.flatMap((effect) => (effect.kind === 'commandResult' ? effect.result : []))
  }

  order(id: number): Order {
    const order = this.account.book.orders.get(id)
    if (order === undefined) throw new Error(`no order ${id}`)
    return order
  }

  /** Puts facts into the book as if they had happened before. */
  putFacts(...facts: Fact[]): this {
    this.journal.push(...facts)
    this.account = { ...this.account, book: facts.reduce(evolve, this.account.book) }
    return this
  }

  /** What the account's owner lets it use beside KRX's regular session. */
  choose(use: Partial<VenueChoices>): this {
    return this.putFacts({ kind: 'venuesChosen', venues: { ...KRX_ONLY, ...use }, at: this.now })
  }

  hold(...lots: [id: number, count: number, buyPrice: number][]): this {
    for (const [id, count, buyPrice] of lots)
      this.putFacts({ kind: 'lotBought', code: CODE, lot: heldLot(id, count, buyPrice), at: this.now })
    return this
  }

  do(event: AccountEvent): this {
    const next = step(this.account, event, this.ctx)
    this.account = next.account
    this.facts = next.facts
    this.effects = next.effects
    this.journal.push(...next.facts)
    return this
  }

  wait(ms: number): this {
    this.now += ms
    return this
  }

  timer(): this {
    return this.do({ kind: 'timer' })
  }

  quote(price: number, over: Partial<Quote> = {}): this {
    const band = dailyLimits(70_000, 'stock', 'KOSPI')
    this.quotes.set(CODE, { price, at: this.now, live: true, halted: false, band, ...over })
    return this
  }

  price(price: number, over: Partial<Quote> = {}): this {
    return this.quote(price, over).do({ kind: 'price', code: CODE })
  }

  /** The broker results that cash pays `count` shares of `CODE` at its last price, with the fee kept free and not a won more. */
  cash(count: number, askedAt = this.now): this {
    return this.do({ kind: 'cash', amount: cashFor(count, this.quotes.get(CODE)?.price ?? 70_000), askedAt })
  }

  /** A price, the answer to the question about cash that is out by then, and nothing else. */
  buyAt(price: number, count = 1_000): this {
    this.price(price)
    return this.account.view.cash.askedAt === null ? this : this.cash(count)
  }

  ask(command: AccountCommand): CommandResult | undefined {
    this.do({ kind: 'command', ticket: ++this.#tickets, command })
    return this.results[0]
  }

  settings(change: Partial<Settings>): CommandResult | undefined {
    const settings = { ...this.stock.settings, ...change }
    return this.ask({ kind: 'updateStock', code: CODE, version: null, settings, listing: null })
  }

  accept(...ids: number[]): this {
    for (const orderId of ids) this.do({ kind: 'accepted', orderId, odno: odnoOf(orderId), orgno: '06010' })
    return this
  }

  lose(orderId: number): this {
    return this.do({ kind: 'unknown', orderId, text: '응답 없음' })
  }

  /** The broker's row of one of our orders. */
  row(id: number, over: Partial<Execution> = {}): Execution {
    const { code, side, venue, count, price, day, createdAt, odno } = this.order(id)
    const filledCount = over.filledCount ?? 0
    return {
      day,
      odno: odno ?? odnoOf(id),
      orgno: '06010',
      originalOdno: null,
      code,
      name: '삼성전자',
      side,
      venue,
      count,
      price,
      orderedAt: createdAt,
      filledCount,
      filledAmount: filledCount * price,
      remainingCount: count - filledCount,
      rejectedCount: 0,
      cancelled: false,
      ...over,
    }
  }

  /** A complete reading asked now; `held` null leaves the balance out. */
  read(executions: readonly Execution[], held: readonly [count: number, averagePrice: number][] | null = null): this {
    return this.do({ kind: 'snapshot', snapshot: this.snapshot(executions, held) })
  }

  snapshot(executions: readonly Execution[], held: readonly [count: number, averagePrice: number][] | null) {
    return { askedAt: this.now, from: DAY, to: '20261231', executions, balance: held === null ? null : balanceOf(held) }
  }

  /** The order filled whole, at its own price unless given otherwise. */
  fill(id: number, filledAmount?: number): this {
    const { count, price } = this.order(id)
    return this.read([
      this.row(id, { filledCount: count, filledAmount: filledAmount ?? count * price, remainingCount: 0 }),
    ])
  }

  /** One lot bought from tick to fill. */
  buy(price: number): this {
    this.buyAt(price)
    const [id] = this.sent
    if (id === undefined) throw new Error(`no buy at ${price}: ${JSON.stringify(this.facts)}`)
    return this.accept(id).fill(id)
  }
}

/** Won that pay this many shares, 0.5 % of fee included. */
export const cashFor = (count: number, price = 70_000): number => Math.ceil(count * price * 1.005)

export const odnoOf = (orderId: number): string => String(orderId).padStart(10, '0')

export const heldLot = (id: number, count: number, buyPrice: number): HeldLot => ({
  id,
  count,
  buyPrice,
  buyAmount: count * buyPrice,
  boughtAt: id,
  buyOrderId: null,
  heldBack: false,
  takenOver: false,
})

export const balanceOf = (held: readonly [count: number, averagePrice: number][]): BrokerBalance => ({
  depositAmount: 0,
  holdings: held.map(([count, averagePrice]) => ({
    code: CODE,
    name: '삼성전자',
    count,
    sellableCount: count,
    averagePrice,
    buyAmount: count * averagePrice,
  })),
})

export const showOrder = (order: Order): string => {
  const lots = order.lots.map((lot) => lot.lotId).join('+')
  return `${order.id} ${order.side} ${order.count} @ ${order.price} of ${lots} ${order.status}`
}
