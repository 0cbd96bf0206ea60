import { ASK_AHEAD_PERCENT, type Book, type Fact, type Stop } from '@digger/core'
import type { Notice, SocketState, Tick } from '@digger/kis'
import type { Clock, Lease } from '@digger/database'
import type { Board } from './board.ts'
import { Feed } from './feed.ts'
import { Link, type Broker } from './link.ts'
import type { AccountChanged, Observers } from './observer.ts'
import type { SocketStatus } from './port.ts'
import { isWorking, pulseOf, Since, type Pulse } from './pulse.ts'
import type { Runner } from './runner.ts'
import type { SteadyClock } from './steady-clock.ts'
import { Verdicts } from './verdicts.ts'

export interface MemberWorld {
  readonly clock: Clock
  /** Where time is the broker's: not in a simulation, which has its own. */
  readonly steady?: SteadyClock | undefined
  readonly board: Board
  readonly serverStop: () => Stop
  readonly lease: Lease
  readonly env: 'real' | 'paper'
  readonly problem: (userId: string, error: unknown) => void
  readonly observers: Observers
}

/** An account without a socket still trades by reading; it waits no longer than this for one, real ms. */
const SOCKET_FIRST_MS = 2_000

/** One user's account with everything around it: mailbox, broker, price feed, socket status. */
export class Member {
  readonly userId: string
  readonly runner: Runner
  readonly verdicts: Verdicts
  readonly #world: MemberWorld
  #link: Link | null = null
  #feed: Feed | null = null
  #connectedAt: number | null = null
  #disconnectedAt: number | null = null
  #orderedAt: number | null = null
  #updatedAt: number | null = null
  #ready = Promise.resolve()
  #attaching = false
  /** The socket is being closed by us: no trouble to tell of. */
  #closing = false
  readonly #since = { unarmed: new Since(), unauthorised: new Since(), working: new Since() }
  readonly #pricedAt = new Map<string, number>()
  readonly #triggers = new Map<string, number>()

  constructor(userId: string, runner: Runner, world: MemberWorld) {
    this.userId = userId
    this.runner = runner
    this.#world = world
    this.verdicts = new Verdicts(world.clock)
    this.#setTriggers(runner.book)
    world.steady?.onSet(() => this.#clockSet())
  }

  get link(): Link | null {
    return this.#link
  }

  get busy(): boolean {
    return this.#attaching || this.runner.waiting > 0 || (this.#link?.inFlight ?? 0) > 0 || (this.#feed?.busy ?? false)
  }

  /** Takes the broker and starts to trade: the account reconciles first and arms itself. */
  attach(broker: Broker): void {
    const now = () => this.#world.clock.now()
    this.#link = new Link(broker, {
      now,
      post: (event) => this.runner.post(event),
      refuseNow: (order) => this.runner.refuseNow(order, this.#world.serverStop()),
      lease: this.#world.lease,
      env: this.#world.env,
      // When the mailbox is idle the lots of the same moment are in the book.
      balanceRead: (deposit) =>
        void this.runner.idle().then(() => this.#world.observers.balanceRead(this.userId, deposit)),
    })
    this.#feed = new Feed(broker.rest, broker.socket, {
      now,
      board: this.#world.board,
      book: () => this.runner.book,
      problem: (error) => this.#world.problem(this.userId, error),
    })
    broker.socket.on('tick', (tick) => this.#onTick(tick))
    broker.socket.on('notice', (notice) => this.#onNotice(notice))
    broker.socket.on('state', (state, why) => this.#onState(state, why))
    this.#feed.arrange()
    this.#ready = this.#authorise(this.#link)
  }

  /** Resolves when the account knows that it has its broker. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** The account compares book and broker at once, and again when the socket comes: so the socket goes first. */
  async #authorise(link: Link): Promise<void> {
    this.#attaching = true
    const waited = Promise.withResolvers<void>()
    const patience = setTimeout(waited.resolve, SOCKET_FIRST_MS)
    const connected = link.broker.socket
      .connect()
      .catch((error: unknown) => this.#link === link && this.#world.problem(this.userId, error))
    await Promise.race([connected, waited.promise])
    clearTimeout(patience)
    this.#attaching = false
    if (this.#link === link) this.runner.post({ kind: 'authorised', authorised: true })
  }

  /** Whether the account may use its broker: the truth that its view must follow. */
  get authorised(): boolean {
    return this.#link !== null && !this.#attaching
  }

  async detach(): Promise<void> {
    const link = this.#link
    this.#link = null
    this.#feed = null
    if (link === null) return
    this.runner.post({ kind: 'authorised', authorised: false })
    await this.#close(link)
    await link.broker.rest.close()
  }

  /** A person wants no socket; the broker stays. */
  async disconnect(): Promise<void> {
    if (this.#link !== null) await this.#close(this.#link)
  }

  async #close({ broker }: Link): Promise<void> {
    this.#closing = true
    try {
      await broker.socket.close()
    } finally {
      this.#closing = false
    }
  }

  tick(): void {
    this.#keepAuthorised()
    const { account } = this.runner
    this.#since.unarmed.note(this.#link !== null && !account.view.armed)
    this.#since.unauthorised.note(this.#link !== null && !account.view.authorised)
    this.#since.working.note(isWorking(account))
    this.runner.post({ kind: 'timer' })
    this.#feed?.tick()
  }

  /** An account that has its broker and does not know it would stand still in silence, whatever the cause. */
  #keepAuthorised(): void {
    if (!this.authorised || this.runner.account.view.authorised || this.runner.waiting > 0) return
    this.#world.problem(this.userId, new Error('the account had lost its permission to trade; given back'))
    this.runner.post({ kind: 'authorised', authorised: true })
  }

  /** After a durable change. */
  changed({ before, after, facts }: AccountChanged): void {
    this.#setTriggers(after)
    if (before.stocks.size !== after.stocks.size || facts.some(changesFeed)) this.#feed?.arrange()
    this.verdicts.changed(after)
  }

  /** `now`: the market's time. */
  pulse(now: number): Pulse {
    return pulseOf(this.runner, this.#link, this.#since, now)
  }

  socketStatus(): SocketStatus {
    const watched = this.#link?.broker.socket.watched ?? new Set<string>()
    const { stocks } = this.runner.book
    return {
      connected: this.#link?.broker.socket.state === 'connected',
      connectedAt: this.#connectedAt,
      orderedAt: this.#orderedAt,
      disconnectedAt: this.#disconnectedAt,
      updatedAt: this.#updatedAt,
      stocks: [...watched].sort().map((code) => ({
        code,
        name: stocks.get(code)?.name ?? code,
        updatedAt: this.#pricedAt.get(code) ?? null,
      })),
    }
  }

  #setTriggers(book: Book): void {
    for (const code of this.#triggers.keys()) if (!book.stocks.has(code)) this.#setTrigger(code, null)
    for (const [code, stock] of book.stocks) {
      const next = stock.nextBuyPrice
      this.#setTrigger(code, next === null ? null : Math.floor(next * (1 + ASK_AHEAD_PERCENT / 100)))
    }
  }

  #setTrigger(code: string, wakePrice: number | null): void {
    if ((this.#triggers.get(code) ?? null) === wakePrice) return
    if (wakePrice === null) this.#triggers.delete(code)
    else this.#triggers.set(code, wakePrice)
    this.#world.board.setTrigger(this.userId, code, wakePrice)
  }

  #onTick(tick: Tick): void {
    const now = this.#world.clock.now()
    this.#updatedAt = now
    this.#pricedAt.set(tick.code, now)
    // Expected prices of an auction are no trades and decide nothing.
    if (tick.trade) this.#world.board.trade(tick.code, tick.price, tick.halted, now)
  }

  #onNotice(notice: Notice): void {
    this.#orderedAt = this.#world.clock.now()
    this.runner.post({
      kind: 'notice',
      odno: notice.odno,
      filledCount: notice.kind === 'filled' ? notice.count : 0,
    })
  }

  #onState(state: SocketState, why: string): void {
    const now = this.#world.clock.now()
    if (state === 'connecting') return
    if (state === 'connected') {
      this.#connectedAt = now
      this.runner.post({ kind: 'linked' })
    } else {
      this.#disconnectedAt = now
      if (!this.#closing) this.#world.problem(this.userId, new Error(`socket: ${why}`))
    }
    this.#world.board.gap(this.runner.book.stocks.keys())
    this.#world.observers.socketChanged(this.userId, state === 'connected')
  }

  /** Prices seen before have no age any more. */
  #clockSet(): void {
    this.#world.board.gap(this.runner.book.stocks.keys())
    this.runner.post({ kind: 'clockMoved' })
  }
}

const changesFeed = (fact: Fact): boolean =>
  fact.kind === 'subscribed' || fact.kind === 'settingsSaved' || fact.kind === 'lotBought' || fact.kind === 'lotSold'
