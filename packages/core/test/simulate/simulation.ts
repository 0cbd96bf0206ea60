import { addDays, isTradingDay, kstDay, kstInstant, tickSize, type Timetable } from '../../src/index.ts'
import { Agenda } from './agenda.ts'
import { LISTINGS, newAccountBegins, type Beginning } from './beginning.ts'
import { Broker } from './broker.ts'
import type { Listed } from './broker-types.ts'
import { Faults } from './faults.ts'
import { goOn } from './going-on.ts'
import { Happenings } from './happenings.ts'
import { moneyOf, type Money } from './money.ts'
import { Monitor } from './monitor.ts'
import { Person } from './person.ts'
import { Phone } from './phone.ts'
import { Random } from './random.ts'
import { VENUE_CHOICES } from './routes.ts'
import { Shell } from './shell.ts'

/** The broker's clock and ours, before a difference is noticed and corrected, ms. */
const DRIFT_MS = 3_000

type Begins = (random: Random, branch: (salt: number) => Random) => Beginning

/** One account, its broker and everything that happens to them, out of one seed. */
export class Simulation {
  readonly random: Random
  readonly faults: Faults
  readonly agenda: Agenda
  readonly broker: Broker
  readonly monitor: Monitor
  readonly shell: Shell
  readonly person: Person
  readonly happenings: Happenings
  readonly #phone: Phone
  readonly timetable: Timetable
  readonly env: 'real' | 'paper'
  readonly firstCash: number
  readonly ordersPerMinute: number | null
  deposited = 0
  day: string
  /** What did not add up from the beginning: nothing in a new account. */
  readonly begun: Money
  readonly #unwatched = new Map<string, number>()
  /** Events of the market and the person happen; off in the quiet of the end. */
  lively = true

  constructor(seed: number, trace: boolean, begins: Begins = newAccountBegins) {
    const random = new Random(seed)
    this.random = random
    this.faults = new Faults(new Random(seed ^ 0x5bd1e995))
    const { now, env, timetable, limits, listed, cash, ...rest } = begins(random, (salt) => new Random(seed ^ salt))
    this.agenda = new Agenda(now)
    this.day = kstDay(now)
    this.env = env
    this.timetable = timetable
    this.firstCash = cash
    this.ordersPerMinute = limits.ordersPerMinute
    const { agenda, faults } = this
    this.broker = new Broker({ agenda, random, faults, timetable, env }, listed, cash)
    this.monitor = new Monitor(agenda, this.broker, trace)
    this.monitor.outside = rest.outside
    this.monitor.positionAmount = rest.positionAmount
    this.shell = new Shell({ agenda, random, faults }, { env, timetable, limits }, this.broker, this.monitor)
    this.monitor.serverStop = () => this.shell.serverStop
    this.monitor.isBaseKnown = (code) => this.shell.quotes.get(code)?.moved !== undefined
    this.person = new Person(random, this.broker, this.shell)
    this.shell.onSent = (orderId) => this.#atWorstMoment(orderId)
    this.happenings = new Happenings(this)
    this.#phone = new Phone(this)
    this.broker.onFill = (order, count) => this.#sendNotice(order.odno, count)
    this.broker.onRejected = ({ odno }) => this.#sendRefusal(odno)
    if (rest.account === null) {
      for (const [code, count] of rest.own) this.broker.endow(code, count, count * 1_000)
      this.shell.boot()
      this.person.ask({ kind: 'setVenues', venues: random.pick(VENUE_CHOICES) })
      for (const one of listed) this.person.addStock(one)
      // Most people say so; whoever does not learns of a difference.
      for (const [code, count] of rest.own) if (random.chance(0.8)) this.person.ask({ kind: 'keepShares', code, count })
    } else goOn(this, rest.account)
    this.begun = moneyOf(this, this.monitor.corrections)
  }

  /** The rest of the day in which an incident ended. */
  playRest(): void {
    const { day } = this
    this.#endSessions()
    this.playSeconds(240)
    this.#quietUntil(kstInstant(day, 200_300))
    this.nextDay()
  }

  /** A trading day: busy minutes at its hard moments, and long quiet hours between them. */
  playDay(): void {
    const { random, day } = this
    this.beginDay()
    this.#quietUntil(kstInstant(day, 85_950))
    this.playSeconds(150)
    this.#quietUntil(kstInstant(day, 100_000) + random.int(0, 150) * 60_000)
    this.playSeconds(240)
    this.#quietUntil(kstInstant(day, 152_920))
    this.playSeconds(90)
    this.#quietUntil(kstInstant(day, 160_100))
    if (this.env === 'real') this.playSeconds(45)
    if (this.faults.strikes('crashOverNight')) this.shell.crash('over night', 16 * 3_600_000)
    this.#quietUntil(kstInstant(day, 200_300))
    this.nextDay()
  }

  /** The morning's base and limits, and what the server reads of them. */
  beginDay(): void {
    this.#endSessions()
    this.broker.newDay()
    if (this.faults.strikes('dividend')) this.deposit(this.random.int(1, 50) * 1_000)
    this.monitor.troubles.beginDay(this.broker, this.shell.account.book)
    this.happenings.morning()
    this.shell.readLimits()
  }

  /** Orders end with their sessions. */
  #endSessions(): void {
    const { agenda, day, broker } = this
    agenda.at(kstInstant(day, 85_000), () => broker.expire('pre'))
    agenda.at(kstInstant(day, 153_000), () => broker.expire('regular'))
    agenda.at(kstInstant(day, 200_000), () => broker.expire('all'))
  }

  nextDay(): void {
    do this.day = addDays(this.day, 1)
    while (!isTradingDay(this.day, this.timetable))
    this.agenda.runUntil(kstInstant(this.day, 75_500))
  }

  /** Every second something may happen. */
  playSeconds(seconds: number): void {
    const start = this.agenda.now
    for (let s = 1; s <= seconds; s++) {
      this.agenda.runUntil(start + s * 1_000 - this.random.int(0, 300))
      this.shell.post({ kind: 'timer' })
      for (const stock of this.broker.stocks.values()) this.#trade(stock)
      if (!this.lively) continue
      this.#disturb()
      if (this.person.isAsked && this.random.chance(0.08)) this.person.repair()
      if (this.random.chance(0.025)) this.person.act()
    }
  }

  #quietUntil(end: number): void {
    for (let at = this.agenda.now + 300_000; at < end; at += 300_000) {
      this.agenda.runUntil(at)
      this.shell.post({ kind: 'timer' })
    }
    // Frames keep coming in a long pause; only its last seconds matter.
    this.agenda.runUntil(Math.max(this.agenda.now, end))
  }

  /** The next trade of a stock, most often a tick or two away. */
  #trade(stock: Listed): void {
    if (stock.halted || this.broker.routesOf(stock).length === 0) return
    if (stock.collects) return
    if (this.lively && this.random.chance(0.7)) {
      const ticks = this.faults.strikes('priceGap') ? this.random.int(-40, 40) : this.random.int(-4, 4)
      const tick = tickSize(stock.price, stock.issue.kind)
      const listed = LISTINGS.find((one) => one.code === stock.issue.code)?.price
      const home = listed === undefined ? stock.price : listed / stock.factor
      const pull = this.random.chance(0.15) ? Math.sign(home - stock.price) * 3 : 0
      const moved = Math.round(stock.price / tick) * tick + (ticks + pull) * tick
      stock.price = Math.min(stock.band.upper, Math.max(stock.band.lower, moved))
    }
    this.broker.match(stock.issue.code)
    if (!this.#isUnwatched(stock)) this.shell.onPrice(stock.issue.code)
  }

  /** The socket carries forty stocks: for a while this one is not among them, and its price is asked now and then. */
  #isUnwatched({ issue: { code } }: Listed): boolean {
    const until = this.#unwatched.get(code) ?? 0
    if (this.agenda.now < until) return this.random.chance(0.8)
    if (this.lively && this.faults.strikes('beyondTheSocket'))
      this.#unwatched.set(code, this.agenda.now + this.random.int(5_000, 60_000))
    return false
  }

  #sendNotice(odno: string, count: number): void {
    const { faults, random, agenda, shell } = this
    if (faults.strikes('noticeLost')) return
    let ms = random.int(150, 400)
    if (faults.strikes('noticeDelayed')) ms = random.int(1_000, 12_000)
    if (faults.strikes('noticeBeforeReply')) ms = 0
    agenda.after(ms, () => shell.onNotice(odno, count))
    if (faults.strikes('noticeDoubled')) agenda.after(ms + random.int(0, 3_000), () => shell.onNotice(odno, count))
  }

  #sendRefusal(odno: string): void {
    const { faults, random, agenda, shell } = this
    if (!faults.strikes('noticeLost')) agenda.after(random.int(0, 400), () => shell.onRefusal(odno))
  }

  #disturb(): void {
    const { faults, random, agenda, shell } = this
    if (faults.strikes('crashAnytime')) shell.crash('anytime', random.int(300, 60_000))
    if (faults.strikes('socketCut') && shell.linked) this.#whileUp(() => shell.cutLink(), random.int(5_000, 20_000))
    if (faults.strikes('socketFrozen') && shell.linked) {
      this.#whileUp(
        () => {
          shell.frozen = true
        },
        random.int(5_000, 40_000),
      )
    }
    if (faults.strikes('brokerRestarts')) this.#outage('refused', random.int(2_000, 60_000))
    if (faults.strikes('maintenance')) this.#outage('maintenance', random.int(60_000, 600_000))
    // The clock never goes back unannounced: the clock trading goes by is an even one.
    if (faults.strikes('clockDrifts')) shell.ahead = Math.max(shell.ahead, random.int(-DRIFT_MS, DRIFT_MS))
    if (faults.strikes('clockSet')) shell.setClock()
    if (faults.strikes('keyGone')) {
      shell.post({ kind: 'authorised', authorised: false })
      agenda.after(random.int(3_000, 60_000), () => shell.post({ kind: 'authorised', authorised: true }))
    }
    if (faults.strikes('serverStopped')) {
      shell.serverStop = random.pick(['reduce', 'halt'])
      agenda.after(random.int(5_000, 60_000), () => {
        shell.serverStop = 'active'
      })
    }
    if (faults.strikes('keyHeld')) shell.post({ kind: 'keyHeld' })
    this.happenings.everySecond()
    this.#phone.everySecond()
  }

  /** The person acts while an order is on its way. */
  #atWorstMoment(orderId: number): void {
    const { faults, random, shell } = this
    if (faults.strikes('commandAtWorstMoment')) shell.later(random.int(0, 150), () => this.person.act())
    // The rules would take one of their own back anyway.
    const isPersons = shell.account.book.orders.get(orderId)?.origin === 'person'
    if (isPersons && faults.strikes('killedAfterCancel')) shell.later(random.int(60, 300), () => this.#cancelAndDie())
  }

  /** Everything is cancelled, and its person is told so; then only the journal is left. */
  #cancelAndDie(): void {
    this.shell.ask({ kind: 'cancelOrders', code: null })
    this.shell.crash('after a cancel', this.random.int(500, 30_000))
  }

  #outage(kind: 'refused' | 'maintenance', ms: number): void {
    const { shell } = this
    if (shell.outage !== 'none') return
    shell.outage = kind
    if (shell.linked) this.#whileUp(() => shell.cutLink(), ms + 1_000)
    this.agenda.after(ms, () => {
      shell.outage = 'none'
    })
  }

  /** The link breaks one way or another, and is made again after a while by the same life. */
  #whileUp(breakIt: () => void, ms: number): void {
    const { life } = this.shell
    breakIt()
    this.agenda.after(ms, () => {
      if (this.shell.life === life && this.shell.up) this.shell.relink()
    })
  }

  /** Won that come from outside. */
  deposit(amount: number): void {
    this.broker.deposit(amount)
    this.deposited += amount
  }
}
