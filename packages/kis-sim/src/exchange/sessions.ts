import { kstDay, kstMidnight, DAY_MS } from '@digger/core'
import { GOOD_TILL_PRE_MARKET } from './divisions.ts'
import type { Exchange } from './exchange.ts'
import type { VenueName } from './venue.ts'
import type { PhaseName } from './market-hours.ts'
import type { SimIssue } from './issue.ts'

/** The price an auction ends with, and the shares the market itself brings to it. */
type AuctionPrice = (issue: SimIssue, which: 'open' | 'close') => { price: number; count: number }

/** MKOP_CLS_CODE of what a KRX phase begins with. */
const OPERATION: Partial<Record<PhaseName, string>> = {
  openingAuction: '110',
  regular: '112',
  closingAuction: '121',
  postClose: '129',
}

const HOUR_MS = 3_600_000

/** Leads the market through its day: auctions end, orders expire, a new day begins. */
export class Sessions {
  readonly #exchange: Exchange
  readonly #auctionPrice: AuctionPrice
  readonly #baseOf: (issue: SimIssue, day: string) => number
  #phases: Record<VenueName, PhaseName>

  constructor(exchange: Exchange, auctionPrice: AuctionPrice, baseOf: (issue: SimIssue, day: string) => number) {
    this.#exchange = exchange
    this.#auctionPrice = auctionPrice
    this.#baseOf = baseOf
    this.#phases = this.#phasesNow()
  }

  start(): void {
    const { ledger, hours } = this.#exchange.options
    const today = kstDay(this.#exchange.now)
    const known = ledger.day
    if (known !== today && (known === '' || hours.isOpenDay(today))) this.#beginDay(today, known !== '')
    this.#showTodayInTheMorning()
    this.#wait()
  }

  #wait(): void {
    const { clock, hours } = this.#exchange.options
    const now = clock.now()
    const midnight = kstMidnight(kstDay(now)) + DAY_MS
    clock.after(Math.min(midnight, hours.nextChange(now)) - now, () => {
      this.#turn()
      this.#wait()
    })
  }

  #turn(): void {
    const { ledger } = this.#exchange.options
    const today = kstDay(this.#exchange.now)
    const before = this.#phases
    this.#phases = this.#phasesNow()
    if (before.KRX !== this.#phases.KRX) this.#leave('KRX', before.KRX, this.#phases.KRX)
    if (before.NXT !== this.#phases.NXT) this.#leave('NXT', before.NXT, this.#phases.NXT)
    if (today === ledger.day || !this.#exchange.isOpenDay()) return
    this.#beginDay(today, true)
    this.#showTodayInTheMorning()
  }

  #leave(venue: VenueName, from: PhaseName, to: PhaseName): void {
    const exchange = this.#exchange
    const code = venue === 'KRX' ? OPERATION[to] : undefined
    if (code !== undefined) for (const issue of exchange.issues.values()) exchange.operation(issue, code)
    if (from === 'openingAuction') this.#crossAll(venue, 'open')
    if (from === 'closingAuction' || from === 'afterAuction') this.#crossAll(venue, 'close')
    if (from === 'preMarket') exchange.expire(venue, (order) => GOOD_TILL_PRE_MARKET.includes(order.division))
    const over = venue === 'KRX' ? from === 'closingAuction' || to === 'closed' : to === 'closed'
    if (over && to === 'closed') this.#noteLateEnd(venue)
    if (over) exchange.expire(venue, () => true)
  }

  /** Orders that rest to the end of a day that began late: another hour would end them sooner or later. */
  #noteLateEnd(venue: VenueName): void {
    const { hours, assumed } = this.#exchange.options
    const isLate = hours.delayMs(kstDay(this.#exchange.now), 'open') === HOUR_MS
    const rests = [...this.#exchange.issues.values()].some(({ books }) => books[venue].all().length > 0)
    if (isLate && rests) assumed.decide('lateDayEnds')
  }

  #crossAll(venue: VenueName, which: 'open' | 'close'): void {
    const exchange = this.#exchange
    for (const issue of exchange.issues.values()) {
      if (issue.status.standsStill || (venue === 'NXT' && !issue.status.onNxt)) continue
      const { price, count } = this.#auctionPrice(issue, which)
      exchange.cross(issue, venue, price, count, which === 'close')
    }
  }

  /** Nothing survives a day. `rolled`: there was one before, so its close becomes the base. */
  #beginDay(day: string, rolled: boolean): void {
    const exchange = this.#exchange
    const { ledger } = exchange.options
    const before = ledger.day
    exchange.expire('KRX', () => true)
    exchange.expire('NXT', () => true)
    ledger.beginDay(exchange.now, day)
    for (const issue of exchange.issues.values()) {
      const base = this.#baseOf(issue, day)
      if (rolled || base !== issue.base) issue.beginDay(before, base, !rolled || this.#isMorning())
    }
  }

  /** Until when quotes show the day before: the same day's instant, epoch ms; midnight where nothing ever closes. */
  get #morning(): number {
    const { hours, assumed } = this.#exchange.options
    const [hh = 0, mm = 0] = hours.always ? [] : assumed.answers.baseShownFrom.split(':').map(Number)
    return kstMidnight(kstDay(this.#exchange.now)) + (hh * 60 + mm) * 60_000
  }

  #isMorning(): boolean {
    return this.#exchange.now >= this.#morning
  }

  #showTodayInTheMorning(): void {
    const exchange = this.#exchange
    const show = (): void => {
      for (const issue of exchange.issues.values()) issue.yesterday = null
    }
    if (this.#isMorning()) show()
    else exchange.options.clock.after(this.#morning - exchange.now, show)
  }

  #phasesNow(): Record<VenueName, PhaseName> {
    return { KRX: this.#exchange.phase('KRX').name, NXT: this.#exchange.phase('NXT').name }
  }
}
