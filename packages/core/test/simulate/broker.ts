import type { Book, BrokerBalance, Execution, Route } from '../../src/index.ts'
import { isLive, kstDay, remainAmount, remainCount, type Timetable } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { BrokerOrder, Cause, Listed, Request, Verdict } from './broker-types.ts'
import { CorporateActions } from './corporate-actions.ts'
import type { Faults } from './faults.ts'
import { Listing } from './listing.ts'
import { crosses, fillPrice } from './matching.ts'
import type { Random } from './random.ts'
import { refusalOf } from './refusal.ts'
import { openRoutes } from './routes.ts'

/** The broker and the exchange in one small model, for one account. Its own state is the truth of the simulation. */
export class Broker {
  readonly stocks: Map<string, Listed>
  readonly orders: BrokerOrder[] = []
  readonly held = new Map<string, number>()
  readonly cost = new Map<string, number>()
  cash: number
  onTaken: (order: BrokerOrder) => void = () => {}
  onFill: (order: BrokerOrder, count: number) => void = () => {}
  /** Shares that no order brought. `from`: how many there were, where a corporate action made them more or fewer. */
  onShares: (code: string, count: number, from: number | null) => void = () => {}
  /** The exchange turned an order down after the broker had taken it. */
  onRejected: (order: BrokerOrder) => void = () => {}
  /** Orders of the program that broker or exchange turned down for something in themselves, per code. */
  readonly faulty = new Map<string, number>()
  readonly #live = new Set<BrokerOrder>()
  readonly #listing: Listing
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #faults: Faults
  readonly #timetable: Timetable
  readonly #env: 'real' | 'paper'
  #lastOdno = 0
  readonly #actions: CorporateActions

  constructor(
    simulation: { agenda: Agenda; random: Random; faults: Faults; timetable: Timetable; env: 'real' | 'paper' },
    stocks: readonly Listed[],
    cash: number,
  ) {
    this.#agenda = simulation.agenda
    this.#actions = new CorporateActions(simulation)
    this.#random = simulation.random
    this.#faults = simulation.faults
    this.#timetable = simulation.timetable
    this.#env = simulation.env
    this.stocks = new Map(stocks.map((stock) => [stock.issue.code, stock]))
    this.cash = cash
    this.#listing = new Listing(simulation, cash)
  }

  get live(): BrokerOrder[] {
    return [...this.#live]
  }

  /** Cash not reserved by live buys, at the price each may cost at worst. */
  get freeCash(): number {
    let free = this.cash
    for (const order of this.#live) {
      if (order.side === 'buy') free -= (order.count - order.filledCount) * this.#worstPrice(order)
    }
    return free
  }

  /** What an account brings that has been trading. `has`: whether an order without a number reached the broker. */
  inherit(book: Book, has: () => boolean): void {
    for (const { odno } of book.orders.values()) this.#lastOdno = Math.max(this.#lastOdno, Number(odno ?? 0))
    for (const order of book.orders.values()) {
      if (order.odno === null && !(isLive(order.status) && has())) continue
      const taken: BrokerOrder = {
        ...order,
        label: order.id,
        odno: order.odno ?? String(++this.#lastOdno).padStart(10, '0'),
        orderedAt: order.createdAt - (order.createdAt % 1000),
        open: isLive(order.status) && order.day === kstDay(this.#agenda.now),
        cancelled: order.status === 'cancelled',
        rejected: order.status === 'rejected',
        expired: false,
        byOther: false,
        replaces: null,
        shown: [],
      }
      this.orders.push(taken)
      if (taken.open) this.#live.add(taken)
      this.#listing.show(taken)
    }
    for (const { issue, lots, kept } of book.stocks.values()) {
      this.held.set(issue.code, remainCount(lots) + kept)
      this.cost.set(issue.code, remainAmount(lots))
    }
    this.#showBalance()
  }

  /** Shares of its owner's that no order here brought. */
  endow(code: string, count: number, amount: number): void {
    this.held.set(code, (this.held.get(code) ?? 0) + count)
    this.cost.set(code, (this.cost.get(code) ?? 0) + amount)
    this.onShares(code, count, null)
    this.#showBalance()
  }

  take(request: Request, replaces: string | null = null): Verdict {
    const stock = this.stocks.get(request.code)
    if (stock === undefined) return this.#refuse(request, '없는 종목입니다.', 'order')
    const refusal = refusalOf(request, stock, {
      agenda: this.#agenda,
      timetable: this.#timetable,
      env: this.#env,
      free: this.#freeShares(request.code),
      cashLeft: this.freeCash - request.count * this.#worstPrice(request),
    })
    if (refusal !== null) return this.#refuse(request, ...refusal)
    if (request.label !== null) {
      if (this.#faults.strikes('businessReject')) return this.#refuse(request, '주문이 거절됐습니다.', 'order')
      // Its clock, its calendar or its own limits are others than ours.
      if (this.#faults.strikes('hourRefused')) return this.#refuse(request, '장 운영 시간이 아닙니다.', 'hour')
      if (this.#faults.strikes('dayRefused')) return this.#refuse(request, '영업일이 아닙니다.', 'day')
      if (request.venue !== 'KRX' && this.#faults.strikes('venueRefused'))
        return this.#refuse(request, '이 거래소에서는 주문할 수 없습니다.', 'venue')
      if (this.#faults.strikes('callRefused')) return this.#refuse(request, '초당 거래건수 초과', 'call')
    }
    const order = this.#accept(request, replaces)
    if (request.label !== null && this.#faults.strikes('exchangeReject')) {
      order.rejected = true
      this.#countFaulty(request)
      this.#end(order)
      this.onRejected(order)
      return { ok: true, odno: order.odno }
    }
    this.#agenda.after(this.#random.int(1, 400), () => this.match(order.code))
    return { ok: true, odno: order.odno }
  }

  #accept(request: Request, replaces: string | null): BrokerOrder {
    const { now } = this.#agenda
    const order: BrokerOrder = {
      ...request,
      odno: this.#nextOdno(),
      day: kstDay(now),
      orderedAt: now - (now % 1000),
      filledCount: 0,
      filledAmount: 0,
      open: true,
      cancelled: false,
      rejected: false,
      expired: false,
      byOther: false,
      replaces,
      shown: [],
    }
    this.orders.push(order)
    this.#live.add(order)
    this.onTaken(order)
    this.#listing.show(order)
    return order
  }

  #refuse(request: Request, text: string, cause: Cause): Verdict {
    if (cause === 'order') this.#countFaulty(request)
    return { ok: false, text, cause }
  }

  #countFaulty({ label, code }: Request): void {
    if (label !== null) this.faulty.set(code, (this.faulty.get(code) ?? 0) + 1)
  }

  #nextOdno(): string {
    return String(++this.#lastOdno).padStart(10, '0')
  }

  /** True when something was cancelled. */
  cancel(odno: string): boolean {
    const order = this.live.find((one) => one.odno === odno)
    if (order === undefined) return false
    order.cancelled = true
    this.#end(order)
    return true
  }

  /** Day orders end with their session, and no notice is sent. A SOR order ends with the venue it went to. */
  expire(session: 'pre' | 'regular' | 'all'): void {
    for (const order of this.#live) {
      if (session === 'pre' && order.session !== 'pre') continue
      if (session === 'regular' && (order.session === 'after' || order.venue === 'NXT')) continue
      if (session === 'regular' && order.venue === 'SOR' && this.#random.chance(0.5)) continue
      order.expired = true
      this.#end(order)
    }
  }

  /** The base of every stock, and shares that come with it. */
  newDay(): void {
    this.#actions.newDay(this.stocks.values(), this.held, (code, count) => {
      const from = this.held.get(code) ?? 0
      this.held.set(code, from + count)
      this.onShares(code, count, from)
    })
    this.#showBalance()
  }

  /** Its owner ends an order in the broker's own app, or puts another one in its place. */
  endByPhone(order: BrokerOrder, instead: Partial<Request> | null): void {
    const { code, side, type, price, count, filledCount, venue, session } = order
    order.byOther = true
    order.cancelled = instead === null
    this.#end(order)
    if (instead === null) return this.#listing.showCancel(order, this.#nextOdno())
    const rest = { label: null, code, side, type, price, count: count - filledCount, venue, session }
    this.take({ ...rest, ...instead }, order.odno)
  }

  /** NXT suspends a stock, and withdraws what rests there. Where SOR took an order nobody sees. */
  withdrawFromNxt(stock: Listed): void {
    stock.offNxt = true
    for (const order of this.#live) {
      if (order.code !== stock.issue.code || order.venue === 'KRX') continue
      if (order.venue === 'SOR' && this.#random.chance(0.5)) continue
      order.byOther = true
      order.cancelled = true
      this.#end(order)
    }
  }

  /** Live orders meet the price as it is now. */
  match(code: string): void {
    const stock = this.stocks.get(code)
    if (stock === undefined || stock.halted || stock.collects || this.routesOf(stock).length === 0) return
    for (const order of this.#live) {
      if (order.code !== code || !crosses(order, stock.price)) continue
      const rest = order.count - order.filledCount
      const count = rest > 1 && this.#faults.strikes('partFill') ? this.#random.int(1, rest - 1) : rest
      this.#fill(order, count, fillPrice(order, stock))
    }
  }

  list(from: string, to: string): Execution[] {
    return this.#listing.list(this.orders, from, to)
  }

  balance(): BrokerBalance {
    return this.#listing.balance()
  }

  /** Cash that comes from outside together with a trade of another program. */
  deposit(amount: number): void {
    this.cash += amount
  }

  /** Where an order of the stock may go now, whatever its owner chose. */
  routesOf(stock: Listed): Route[] {
    return openRoutes(stock, this.#agenda.now, this.#timetable, this.#env)
  }

  #freeShares(code: string): number {
    let free = this.held.get(code) ?? 0
    for (const one of this.#live) if (one.side === 'sell' && one.code === code) free -= one.count - one.filledCount
    return free
  }

  #worstPrice(order: Request): number {
    return order.type === 'limit' ? order.price : (this.stocks.get(order.code)?.band.upper ?? 0)
  }

  #fill(order: BrokerOrder, count: number, price: number): void {
    const sign = order.side === 'buy' ? 1 : -1
    order.filledCount += count
    order.filledAmount += count * price
    this.cash -= sign * count * price
    const before = this.held.get(order.code) ?? 0
    const cost = this.cost.get(order.code) ?? 0
    this.held.set(order.code, before + sign * count)
    this.cost.set(order.code, order.side === 'buy' ? cost + count * price : cost - Math.round((cost * count) / before))
    if (order.filledCount === order.count) this.#end(order)
    else this.#listing.show(order)
    this.#showBalance()
    this.onFill(order, count)
  }

  #end(order: BrokerOrder): void {
    order.open = false
    this.#live.delete(order)
    this.#listing.show(order)
  }

  #showBalance(): void {
    this.#listing.showBalance(this.held, this.cost, this.cash)
  }
}
