import {
  accountReadAgain,
  effectiveStop,
  emptyBook,
  evolve,
  kstDay,
  newAccount,
  recording,
  step,
  type Account,
  type AccountCommand,
  type AccountEvent,
  type Book,
  type BrokerSnapshot,
  type CommandResult,
  type Context,
  type Effect,
  type Fact,
  type Quote,
  type Recording,
  type Step,
  type Stop,
} from '../../src/index.ts'
import type { Agenda } from './agenda.ts'
import type { Broker } from './broker.ts'
import type { Faults } from './faults.ts'
import { Feed } from './feed.ts'
import { Network } from './network.ts'
import type { Random } from './random.ts'

export interface Watcher {
  committed(facts: readonly Fact[], event: AccountEvent, before: Account['book'], after: Account['book']): void
  answered(ticket: number, result: CommandResult): void
  restarted(account: Account): void
  log(text: () => string): void
}

/** What an earlier life sent may arrive, and be listed, for so long: far longer than this network delivers anything, ms. */
const INHERITED_MS = 40_000

/** What runs an account in this simulation, as a server would: mailbox, journal, effects, and its sudden ends. */
export class Shell {
  readonly journal: Fact[] = []
  account: Account
  up = false
  linked = false
  frozen = false
  serverStop: Stop = 'active'
  outage: 'none' | 'refused' | 'maintenance' = 'none'
  /** The server's clock is ahead of the broker's by this, ms. */
  ahead = 0
  /** An order was just handed to the wire. */
  onSent: (orderId: number) => void = () => {}
  /** Told of every decision that became durable, with what it was made of: to make it again. */
  onDecided: ((before: Account, event: AccountEvent, recorded: Recording, next: Step) => void) | null = null
  readonly #feed: Feed
  /** Counts lives: what was under way for an earlier one is lost with it. */
  life = 0
  readonly #queue: AccountEvent[] = []
  /** The book before the first fact of the journal; null: an empty one. */
  #inherited: Book | null = null
  #busy = false
  #tickets = 0
  readonly #agenda: Agenda
  readonly #random: Random
  readonly #faults: Faults
  readonly #context: Omit<Context, 'now' | 'serverStop' | 'quote'>
  readonly #broker: Broker
  readonly #watcher: Watcher
  readonly #network: Network

  constructor(
    simulation: { agenda: Agenda; random: Random; faults: Faults },
    context: Omit<Context, 'now' | 'serverStop' | 'quote'>,
    broker: Broker,
    watcher: Watcher,
  ) {
    this.#agenda = simulation.agenda
    this.#random = simulation.random
    this.#faults = simulation.faults
    this.#context = context
    this.#broker = broker
    this.#watcher = watcher
    this.#network = new Network(simulation, broker, this)
    this.#feed = new Feed(simulation, broker, this)
    this.account = newAccount(emptyBook(kstDay(simulation.agenda.now)))
  }

  get quotes(): Map<string, Quote> {
    return this.#feed.quotes
  }

  get now(): number {
    return this.#agenda.now + this.ahead
  }

  context(): Context {
    const { serverStop, quotes } = this
    return { ...this.#context, now: this.now, serverStop, quote: (code) => quotes.get(code) }
  }

  /** The durable account, and nothing else, survives. */
  boot(): void {
    this.account = newAccount(this.#rebuilt())
    this.up = true
    this.frozen = false
    this.readLimits()
    this.#watcher.restarted(this.account)
    this.post({ kind: 'restarted', lateMs: INHERITED_MS })
    this.later(this.#random.int(50, 3_000), () => this.post({ kind: 'authorised', authorised: true }))
    this.later(this.#random.int(50, 3_000), () => this.relink())
  }

  /** An account that has been trading before this run. */
  inherit(account: Account): void {
    this.#inherited = account.book
    this.account = account
    this.#tickets = Math.max(0, ...account.view.orders.pendingSales.map(({ ticket }) => ticket))
  }

  #rebuilt(): Book {
    const facts: Fact[] = JSON.parse(JSON.stringify(this.journal))
    return facts.reduce(evolve, this.#inherited ?? emptyBook(kstDay(facts[0]?.at ?? this.#agenda.now)))
  }

  crash(why: string, downMs: number): void {
    if (!this.up) return
    this.#watcher.log(() => `*** crash (${why}), down ${downMs} ms`)
    this.up = false
    this.linked = false
    this.life += 1
    this.#queue.length = 0
    this.quotes.clear()
    this.#agenda.after(downMs, () => this.boot())
  }

  relink(): void {
    this.linked = true
    this.frozen = false
    this.#feed.linked()
    this.post({ kind: 'linked' })
  }

  cutLink(): void {
    this.linked = false
    this.post({ kind: 'linked' })
  }

  /** The server learns the broker's time and takes it for its own. */
  setClock(): void {
    this.ahead = 0
    this.post({ kind: 'clockMoved' })
  }

  /** Limits and base of the day. */
  readLimits(): void {
    if (this.up) this.#feed.readLimits()
  }

  /** A trade as the socket reports it. */
  onPrice(code: string): void {
    const stock = this.#broker.stocks.get(code)
    if (!this.up || !this.linked || this.frozen || stock === undefined) return
    this.#feed.traded(stock)
    this.post({ kind: 'price', code })
  }

  onNotice(odno: string, filledCount: number): void {
    if (this.up && this.linked && !this.frozen) this.post({ kind: 'notice', odno, filledCount })
  }

  onRefusal(odno: string): void {
    if (this.up && this.linked && !this.frozen) this.post({ kind: 'notice', odno, filledCount: 0, refused: true })
  }

  ask(command: AccountCommand): number {
    const ticket = ++this.#tickets
    this.post({ kind: 'command', ticket, command })
    return ticket
  }

  /** Reads the broker first, as checking and fixing the balance do. */
  askWithSnapshot(kind: 'checkBalance' | 'fixBalance', code: string | null): void {
    this.readFirst((snapshot) => this.ask({ kind, code, snapshot }))
  }

  readFirst(then: (snapshot: BrokerSnapshot) => void): void {
    const today = kstDay(this.#agenda.now)
    this.#network.read(today, today, true, (event) => {
      if (event.kind === 'snapshot') then(event.snapshot)
    })
  }

  /** Asks for cash first, as buying at once does. */
  askCashFirst(then: (amount: number, askedAt: number) => void): void {
    if (this.up)
      this.#network.askCash((amount, askedAt) => {
        if (amount !== null) then(amount, askedAt)
      })
  }

  post(event: AccountEvent): void {
    if (!this.up) return
    this.#queue.push(event)
    if (this.#busy) return
    this.#busy = true
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) this.#handle(next)
    this.#busy = false
  }

  /** Last look before bytes leave, as a server has it. */
  refuseNow(orderId: number): string | null {
    const { book } = this.account
    const order = book.orders.get(orderId)
    if (order === undefined || order.status !== 'intended') return '이미 끝난 주문입니다.'
    if (order.cancelWanted) return '보내기 직전에 취소했습니다.'
    const stop = effectiveStop(this.serverStop, book.stop, book.stocks.get(order.code)?.stop ?? 'active')
    if (stop === 'halt' || book.otherServer.suspected !== null) return '보내기 직전에 멈췄습니다.'
    return stop === 'reduce' && order.side === 'buy' ? '보내기 직전에 매수가 멈췄습니다.' : null
  }

  #handle(event: AccountEvent): void {
    const before = this.account
    const recorded = this.onDecided === null ? null : recording(this.context())
    const next = step(before, event, recorded?.context ?? this.context())
    if (next.facts.length > 0 && this.#faults.strikes('crashBeforeCommit'))
      return this.crash('before commit', this.#down())
    if (next.facts.length > 0 && this.#faults.strikes('commitRefused')) return this.#startOver(event)
    this.journal.push(...next.facts)
    this.account = next.account
    if (recorded !== null) this.onDecided?.(before, event, recorded, next)
    this.#watcher.committed(next.facts, event, before.book, next.account.book)
    this.#feed.follow(next.facts, this.account.book)
    if (next.effects.length > 0 && this.#faults.strikes('crashBeforeEffects'))
      return this.crash('before effects', this.#down())
    for (const effect of next.effects) {
      this.#perform(effect)
      if (next.effects.length > 1 && this.#faults.strikes('crashBetweenEffects')) {
        return this.crash('between effects', this.#down())
      }
    }
  }

  /**
   * Nothing of the step was ever true: its command fails, with the sales that wait, and the account is read again from
   * what is durable.
   */
  #startOver(event: AccountEvent): void {
    this.#watcher.log(() => `*** commit refused at ${event.kind}`)
    const { connection, orders } = this.account.view
    const { authorised } = connection
    this.account = accountReadAgain(this.account, this.#rebuilt())
    const tickets = orders.pendingSales.map((sale) => sale.ticket)
    if (event.kind === 'command') tickets.push(event.ticket)
    for (const ticket of tickets)
      this.#watcher.answered(ticket, { ok: false, code: 'BUSY', text: '저장하지 못했습니다.' })
    this.#queue.unshift({ kind: 'restarted', lateMs: INHERITED_MS }, { kind: 'authorised', authorised })
  }

  #perform(effect: Effect): void {
    this.#watcher.log(() => `    effect ${JSON.stringify(effect)}`)
    switch (effect.kind) {
      case 'send':
        this.#network.send(effect.orderId)
        this.onSent(effect.orderId)
        return undefined
      case 'cancel':
        return this.#network.cancel(effect.orderId)
      case 'readLists':
        return this.#network.read(effect.from, effect.to, effect.compare, (event) => this.post(event))
      case 'readStock':
        return this.#network.readStock(effect, (event) => this.post(event))
      case 'askCash':
        return this.#network.askCash((amount, askedAt) =>
          this.post(amount === null ? { kind: 'cashFailed', text: '' } : { kind: 'cash', amount, askedAt }),
        )
      case 'commandResult':
        return this.#watcher.answered(effect.ticket, effect.result)
    }
  }

  readonly #down = (): number => this.#random.int(500, 30_000)

  /** Only if this life lasts until then. */
  later(ms: number, run: () => void): void {
    const { life } = this
    this.#agenda.after(ms, () => {
      if (this.life === life && this.up) run()
    })
  }
}
