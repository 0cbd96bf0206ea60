import { setTimeout as delay } from 'node:timers/promises'
import { attentionOf, emptyBook, endOfAttention, kstDay, morningCheck, redToCall } from '@digger/core'
import type { Account, Attention, Book, Context, MorningItem, Standing } from '@digger/core'
import type { Lease, OwnedShards } from '@digger/database'
import type { Broker } from '../broker/connector.ts'
import type { TradingConditions } from '../conditions.ts'
import type { AccountChanged, AccountsObserver, Observers } from '../observer.ts'
import { BuyTriggers } from '@digger/prices'
import type { Committer, AccountReader, Loaded } from '@digger/storage'
import { AccountFeeds } from './account-feeds.ts'
import { AccountSocket } from './account-socket.ts'
import { EffectRunner } from './effect-runner.ts'
import { AccountMailbox } from './mailbox.ts'
import { OrderOutcomes } from './order-outcomes.ts'
import { isWorking, pulseOf, Since, type Pulse } from './pulse.ts'

/** What all accounts of this server share. */
export interface SharedParts {
  readonly conditions: TradingConditions
  readonly observers: Observers
  readonly committer: Committer
  readonly reader: AccountReader
  readonly lease: Lease
  readonly owned: OwnedShards
  /** Called when it turns out that another process has the account. */
  readonly fenced: (userId: string) => void
  readonly problem: (userId: string | null, error: unknown) => void
}

export interface AccountAttention {
  readonly userId: string
  readonly book: Book
  readonly found: readonly Attention[]
  readonly endOf: (one: Pick<Attention, 'kind' | 'subject'>) => string
}

/** An account without a socket still trades by reading; it waits no longer than this for one, real ms. */
const SOCKET_TIMEOUT_MS = 2_000
/** As long as a reply to an order may take, ms. */
const DRAIN_MS = 20_000
const DRAIN_LOOK_MS = 20

/** One user's account with everything around it: mailbox, broker, prices, socket status. */
export class ConnectedAccount implements AccountsObserver {
  readonly userId: string
  readonly mailbox: AccountMailbox
  readonly outcomes: OrderOutcomes
  readonly socket: AccountSocket
  readonly #shared: SharedParts
  readonly #triggers: BuyTriggers
  readonly #since = {
    closed: new Since(),
    unarmed: new Since(),
    unauthorised: new Since(),
    working: new Since(),
    withoutPrices: new Since(),
  }
  #effects: EffectRunner | null = null
  #feeds: AccountFeeds | null = null
  #ready = Promise.resolve()
  #attaching = false
  #isLeaving = false

  constructor(userId: string, loaded: Loaded, shared: SharedParts) {
    const { conditions, observers } = shared
    this.userId = userId
    this.#shared = shared
    this.outcomes = new OrderOutcomes(conditions.clock)
    const inheritedMs = shared.owned.of(userId)?.inheritedMs ?? 0
    this.mailbox = new AccountMailbox(userId, loaded, {
      ...shared,
      conditions: { context: (account) => this.context(account) },
      inheritedMs,
      observers: [this, observers],
    })
    this.socket = new AccountSocket({ ...shared, userId, mailbox: this.mailbox })
    this.#triggers = new BuyTriggers(conditions.prices, this.mailbox)
    this.#triggers.follow(loaded.book)
  }

  /** The broker, where the key is open. */
  get effects(): EffectRunner | null {
    return this.#effects
  }

  get busy(): boolean {
    return this.#attaching || this.socket.isRenewing || this.mailbox.active || (this.#feeds?.busy ?? false)
  }

  /** Takes the broker and starts to trade: the account reconciles first and arms itself. */
  attach(broker: Broker): void {
    const { mailbox } = this
    const { conditions, lease } = this.#shared
    const problem = (error: unknown): void => this.#report(error)
    const effects = new EffectRunner(broker, { mailbox, conditions, lease }, conditions.clock, problem)
    this.#effects = effects
    this.mailbox.attach(effects)
    this.#feeds = new AccountFeeds(broker, conditions, mailbox, problem)
    this.socket.attach(broker.socket)
    this.#feeds.arrange(this.mailbox.book)
    this.#ready = this.#authorise(effects)
  }

  /** Resolves when the account knows that it has its broker. */
  get ready(): Promise<void> {
    return this.#ready
  }

  /** The account compares book and broker at once, and again when the socket comes: so the socket goes first. */
  async #authorise(effects: EffectRunner): Promise<void> {
    this.#attaching = true
    const waited = Promise.withResolvers<void>()
    const timeout = setTimeout(waited.resolve, SOCKET_TIMEOUT_MS)
    const connected = effects.broker.socket
      .connect()
      .catch((error: unknown) => this.#effects === effects && this.#report(error))
    await Promise.race([connected, waited.promise])
    clearTimeout(timeout)
    if (this.#effects !== effects) return
    this.#attaching = false
    // A socket that comes late, or a key opened meanwhile, begins nothing anew.
    if (this.#isLeaving) return
    effects.authorised = true
    this.mailbox.post({ kind: 'authorised', authorised: true })
  }

  async detach(): Promise<void> {
    const effects = this.#effects
    this.#effects = null
    this.#attaching = false
    this.mailbox.attach()
    this.#feeds?.end()
    this.#feeds = null
    if (effects === null) return
    effects.authorised = false
    this.mailbox.post({ kind: 'authorised', authorised: false })
    await this.socket.detach()
    await effects.broker.rest.close()
  }

  /**
   * Before another process takes it, and before `end`: nothing new is begun, and orders on the wire come back, up to 20 s. What was asked
   * is not waited for.
   */
  async drain(): Promise<void> {
    const { mailbox } = this
    this.#isLeaving = true
    if (this.#effects !== null) this.#effects.authorised = false
    mailbox.post({ kind: 'authorised', authorised: false })
    const until = performance.now() + DRAIN_MS
    while (mailbox.waiting + mailbox.running.orders > 0 && performance.now() < until) await delay(DRAIN_LOOK_MS)
  }

  /** Another process has the account, or takes it: from this very turn on nothing is written and nothing leaves. */
  async end(): Promise<void> {
    this.mailbox.end()
    this.#triggers.follow(emptyBook(''))
    await this.detach()
  }

  /** What it decides by, now. Its first event is decided before there is a socket. */
  context(account: Account): Context {
    const socket: AccountSocket | undefined = this.socket
    return this.#shared.conditions.context(account, socket?.isRefused ?? false)
  }

  /** What it has before it trades by itself, and what it waits for. */
  morning(): MorningItem[] {
    const { account } = this.mailbox
    const { clock, timetables, issues } = this.#shared.conditions
    const day = kstDay(clock.now())
    return morningCheck({
      account,
      ctx: this.context(account),
      facts: {
        opened: this.#effects !== null,
        socket: this.socket.line,
        machineAheadMs: clock.machineAheadMs ?? null,
        calendar: timetables.saidOf(day),
        isIssueRead: (code) => issues.get(code)?.day === day,
      },
    })
  }

  /** About once a second. */
  tick(): void {
    this.#keepAuthorised()
    this.socket.tick()
    const { account } = this.mailbox
    const opened = this.#effects !== null
    this.#since.closed.note(!opened)
    this.#since.unarmed.note(opened && !account.view.connection.armed)
    this.#since.unauthorised.note(opened && !account.view.connection.authorised)
    this.#since.working.note(isWorking(account))
    // Without the socket there are no prices; nobody misses them while nothing is traded.
    this.#since.withoutPrices.note(this.socket.isMissing && this.#shared.conditions.isTraded())
    // First what is known of the day: the timer decides by it.
    this.#feeds?.tick(account.book)
    this.mailbox.post({ kind: 'timer' })
  }

  /** An account that has its broker and does not know it would stand still in silence, whatever the cause. */
  #keepAuthorised(): void {
    if (
      this.#effects?.authorised !== true ||
      this.mailbox.account.view.connection.authorised ||
      this.mailbox.waiting > 0
    )
      return
    this.#report(new Error('the account had lost its permission to trade; given back'))
    this.mailbox.post({ kind: 'authorised', authorised: true })
  }

  accountChanged({ after, facts }: AccountChanged): void {
    this.#triggers.follow(after)
    this.#feeds?.follow(facts, after)
    this.outcomes.follow(after)
  }

  /** `now`: the market's time. */
  pulse(now: number): Pulse {
    return pulseOf(this.mailbox, this.#effects, this.#since, { now, inSession: this.#shared.conditions.isTraded() })
  }

  /** What its person is to be called for, whether patience is over or not, and the sentence once one of these is over. */
  attention(): AccountAttention {
    const { account } = this.mailbox
    const { clock, timetables } = this.#shared.conditions
    const standing: Standing = {
      now: clock.now(),
      timetable: timetables.current,
      opened: this.#effects !== null,
      closedMs: this.#since.closed.ms,
      unarmedMs: this.#since.unarmed.ms,
      withoutPricesMs: this.#since.withoutPrices.ms,
      connected: this.socket.isConnected,
    }
    const morning = () => this.morning()
    return {
      userId: this.userId,
      book: account.book,
      // Not all that ask look at it.
      get found() {
        return attentionOf(account, { ...standing, red: redToCall(morning()) })
      },
      endOf: (one) => endOfAttention(one, account, standing),
    }
  }

  /** The market's clock was set: prices seen before have no age any more. */
  clockSet(): void {
    this.#shared.conditions.prices.forget(this.mailbox.book.stocks.keys())
    this.mailbox.post({ kind: 'clockMoved' })
  }

  #report(error: unknown): void {
    this.#shared.problem(this.userId, error)
  }
}
