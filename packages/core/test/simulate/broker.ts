import type { Book, BrokerBalance, Execution, Route } from '../../src/index.ts'
import { isLive, kstDay, remainAmount, remainCount, tickSize, type Timetable } from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { BrokerOrder, Listed, Request, Verdict } from './broker-types.ts'
import { CorporateActions } from './corporate-actions.ts'
import type { Faults } from './faults.ts'
import { crosses, fillPrice } from './matching.ts'
import type { Random } from './random.ts'
import { routesOf } from './routes.ts'

/** A new order or a fill may be missing from a list or from the balance at most this long, ms (measured: up to 5.3 s). */
const LAG_MS = 5_300

/** The broker and the exchange in one small model, for one account. Its own state is the truth of the simulation. */
export class Broker {
  readonly stocks: Map<string, Listed>
  readonly orders: BrokerOrder[] = []
  readonly held = new Map<string, number>()
  readonly cost = new Map<string, number>()
  cash: number
  onTaken: (order: BrokerOrder) => void = () => {}
  onFill: (order: BrokerOrder, count: number) => void = () => {}
  /** Shares that no order brought. */
  onShares: (code: string, count: number) => void = () => {}
  readonly #live = new Set<BrokerOrder>()
  readonly #shownBalances: { readonly from: number; readonly balance: BrokerBalance }[] = []
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #faults: Faults
  readonly #timetable: Timetable
  readonly #env: 'real' | 'paper'
  #lastOdno = 0
  readonly #actions: CorporateActions
  /** Whether the list shows what was sent without a price at the one it got, and how what expired: nobody knows for sure. */
  readonly #showsPaidPrice: boolean
  readonly #expiredShownAs: 'rejected' | 'cancelled' | 'nothing' | 'remaining'

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
    this.#showsPaidPrice = simulation.random.chance(0.5)
    this.#expiredShownAs = simulation.random.pick(['rejected', 'cancelled', 'nothing', 'remaining'] as const)
    this.#shownBalances.push({ from: 0, balance: { holdings: [], depositAmount: cash } })
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
        byPhone: false,
        shown: [],
      }
      this.orders.push(taken)
      if (taken.open) this.#live.add(taken)
      this.#show(taken)
    }
    for (const { issue, lots } of book.stocks.values()) {
      this.held.set(issue.code, remainCount(lots))
      this.cost.set(issue.code, remainAmount(lots))
    }
    this.#showBalance()
  }

  take(request: Request): Verdict {
    const stock = this.stocks.get(request.code)
    const no = stock === undefined ? '없는 종목입니다.' : this.#refusal(request, stock)
    if (no !== null || stock === undefined) return { ok: false, text: no ?? '' }
    if (request.label !== null && this.#faults.strikes('businessReject'))
      return { ok: false, text: '주문이 거절됐습니다.' }
    const { now } = this.#agenda
    const order: BrokerOrder = {
      ...request,
      odno: String(++this.#lastOdno).padStart(10, '0'),
      day: kstDay(now),
      orderedAt: now - (now % 1000),
      filledCount: 0,
      filledAmount: 0,
      open: true,
      cancelled: false,
      rejected: false,
      expired: false,
      byPhone: false,
      shown: [],
    }
    this.orders.push(order)
    this.#live.add(order)
    this.onTaken(order)
    this.#show(order)
    if (request.label !== null && this.#faults.strikes('exchangeReject')) {
      order.rejected = true
      this.#end(order)
      return { ok: true, odno: order.odno }
    }
    this.#agenda.after(this.#random.int(1, 400), () => this.match(order.code))
    return { ok: true, odno: order.odno }
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
      this.held.set(code, (this.held.get(code) ?? 0) + count)
      this.onShares(code, count)
    })
    this.#showBalance()
  }

  /** The owner cancels one of the program's orders in the broker's app. */
  cancelByPhone(): void {
    const ours = this.live.filter((order) => order.label !== null)
    if (ours.length === 0 || !this.#faults.strikes('cancelledByPhone')) return
    const order = this.#random.pick(ours)
    order.byPhone = true
    this.cancel(order.odno)
  }

  /** Live orders meet the price as it is now. */
  match(code: string): void {
    const stock = this.stocks.get(code)
    if (stock === undefined || stock.halted || this.#routesOf(stock).length === 0) return
    for (const order of this.#live) {
      if (order.code !== code || !crosses(order, stock.price)) continue
      const rest = order.count - order.filledCount
      const count = rest > 1 && this.#faults.strikes('partFill') ? this.#random.int(1, rest - 1) : rest
      this.#fill(order, count, fillPrice(order, stock))
    }
  }

  list(from: string, to: string): Execution[] {
    const { now } = this.#agenda
    return this.orders.flatMap((order) => {
      if (order.day < from || order.day > to) return []
      return order.shown.findLast((version) => version.from <= now)?.row ?? []
    })
  }

  balance(): BrokerBalance {
    const { now } = this.#agenda
    const shown = this.#shownBalances.findLast((version) => version.from <= now)
    if (shown === undefined) throw new Error('no balance was ever shown')
    return shown.balance
  }

  /** Cash that comes from outside together with a trade of another program. */
  deposit(amount: number): void {
    this.cash += amount
  }

  /** Where an order of the stock may go now, whatever its owner chose. */
  #routesOf(stock: Listed) {
    return routesOf(stock.issue, this.#agenda.now, this.#timetable, this.#env)
  }

  #refusal(request: Request, stock: Listed): string | null {
    const isTaken = ({ venue, session }: Route) => venue === request.venue && session === request.session
    if (!this.#routesOf(stock).some(isTaken)) return '장 운영 시간이 아닙니다.'
    if (stock.halted) return '거래 정지 종목입니다.'
    if (request.type === 'limit' && request.price % tickSize(request.price, stock.issue.kind) !== 0)
      return '호가 단위 오류입니다.'
    if (request.type === 'limit' && (request.price > stock.band.upper || request.price < stock.band.lower)) {
      return '상하한가를 벗어난 가격입니다.'
    }
    if (request.side === 'sell') {
      let locked = 0
      for (const one of this.#live) {
        if (one.side === 'sell' && one.code === request.code) locked += one.count - one.filledCount
      }
      return (this.held.get(request.code) ?? 0) - locked < request.count ? '주문 가능 수량을 초과했습니다.' : null
    }
    // A margin account: the broker itself would let Digger buy on credit.
    const worst = request.count * this.#worstPrice(request)
    return worst > this.freeCash + 100_000_000 ? '주문 가능 금액을 초과했습니다.' : null
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
    else this.#show(order)
    this.#showBalance()
    this.onFill(order, count)
  }

  #end(order: BrokerOrder): void {
    order.open = false
    this.#live.delete(order)
    this.#show(order)
  }

  #show(order: BrokerOrder): void {
    const lag = this.#faults.strikes('listingLag') ? this.#random.int(1_000, LAG_MS) : 0
    const rest = order.count - order.filledCount
    const row: Execution = {
      day: order.day,
      odno: order.odno,
      orgno: '06010',
      originalOdno: null,
      code: order.code,
      name: order.code,
      side: order.side,
      venue: order.venue,
      count: order.count,
      price: this.#shownPrice(order),
      orderedAt: order.orderedAt,
      filledCount: order.filledCount,
      filledAmount: order.filledAmount,
      remainingCount: order.open || (order.expired && this.#expiredShownAs === 'remaining') ? rest : 0,
      rejectedCount: order.rejected || (order.expired && this.#expiredShownAs === 'rejected') ? rest : 0,
      cancelled: order.cancelled || (order.expired && this.#expiredShownAs === 'cancelled'),
    }
    // A later state is never shown before an earlier one.
    order.shown.push({ from: Math.max(this.#agenda.now + lag, order.shown.at(-1)?.from ?? 0), row })
  }

  #shownPrice({ price, filledCount, filledAmount }: BrokerOrder): number {
    return price === 0 && filledCount > 0 && this.#showsPaidPrice ? Math.round(filledAmount / filledCount) : price
  }

  #showBalance(): void {
    const lag = this.#faults.strikes('balanceLag') ? this.#random.int(500, LAG_MS) : 0
    const holdings = [...this.held].flatMap(([code, count]) => {
      if (count === 0) return []
      const buyAmount = this.cost.get(code) ?? 0
      return [{ code, name: code, count, sellableCount: count, averagePrice: buyAmount / count, buyAmount }]
    })
    const from = Math.max(this.#agenda.now + lag, this.#shownBalances.at(-1)?.from ?? 0)
    this.#shownBalances.push({ from, balance: { holdings, depositAmount: this.cash } })
  }
}
