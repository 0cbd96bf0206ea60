import { outlook, type Book, type Context, type Limits, type Stop } from '@digger/core'
import { Refused } from '@digger/contract'
import type { KisCredentials, KisRest } from '@digger/kis'
import { type Clock, every } from '@digger/database'
import { Board } from './board.ts'
import { Committer, NoLeaseError } from './committer.ts'
import { withoutLink, type Broker } from './link.ts'
import { PriceMarks } from './marks.ts'
import { loadOrCreate, type Tables } from './load.ts'
import { Member, type MemberWorld } from './member.ts'
import { Observers, type AccountsObserver } from './observer.ts'
import {
  type Accounts,
  type Command,
  type CommandDone,
  type LastPrice,
  type Outlook,
  type SocketStatus,
} from './port.ts'
import { commandFor, needsBroker } from './prepare.ts'
import { Runner } from './runner.ts'
import { SteadyClock } from './steady-clock.ts'
import type { Timetables } from './timetable.ts'
import { readServerStop, writeServerStop } from './server-stop.ts'
import { vitalsOf, type Vitals } from './vitals.ts'

export interface EngineOptions {
  readonly tables: Tables
  readonly clock: Clock
  /** Which wire the broker speaks; the pretend broker speaks the real one. */
  readonly env: 'real' | 'paper'
  readonly limits: Limits
  readonly timetables: Timetables
  readonly connect: (userId: string, credentials: KisCredentials) => Broker
  readonly problem: (userId: string | null, error: unknown) => void
  /** Between two timer events, ms; longer where time is moved by hand. */
  readonly timerMs?: number
}

const DEFAULT_TIMER_MS = 1_000

/** All accounts of this server: the only thing that trades. */
export class Engine implements Accounts {
  readonly #options: EngineOptions
  readonly #members = new Map<string, Member>()
  readonly #opening = new Map<string, Promise<Member>>()
  readonly #committer: Committer
  readonly #board: Board
  readonly #priceMarks: PriceMarks
  readonly #observers = new Observers()
  #serverStop: Stop = 'active'
  #stopTimer: (() => void) | null = null

  constructor(options: EngineOptions) {
    this.#options = options
    this.#committer = new Committer(options.tables.pool, options.tables.lease)
    this.#board = new Board(
      (userId, code) => this.#members.get(userId)?.runner.post({ kind: 'price', code }),
      (code) => this.#observers.priceChanged(code),
    )
    this.#priceMarks = new PriceMarks(this.#board)
  }

  /** Loads every account; none trades before its key is there. */
  async start(): Promise<void> {
    this.#serverStop = await readServerStop(this.#options.tables.db)
    const users = await this.#options.tables.db.selectFrom('users').select('id').execute()
    for (const { id } of users) await this.open(id)
    const { clock, timerMs = DEFAULT_TIMER_MS } = this.#options
    this.#stopTimer = every(clock, timerMs, () => this.tick())
  }

  /** What time alone brings about: called by the timer, and by whoever moves time by hand. */
  tick(): void {
    const { timetables, clock, problem } = this.#options
    for (const member of this.#members.values()) {
      member.tick()
      if (member.link === null) continue
      timetables.refresh(member.link.broker.rest, clock.now()).catch((error: unknown) => problem(null, error))
    }
  }

  /** Stops deciding, lets what is in flight come back, closes the wires. */
  async stop(): Promise<void> {
    this.#stopTimer?.()
    await Promise.all([...this.#members.values()].map((member) => member.detach()))
    await this.idle()
  }

  async open(userId: string): Promise<void> {
    if (this.#members.has(userId)) return
    const opening = this.#opening.get(userId) ?? this.#load(userId)
    this.#opening.set(userId, opening)
    try {
      this.#members.set(userId, await opening)
    } finally {
      this.#opening.delete(userId)
    }
  }

  async #load(userId: string): Promise<Member> {
    const { tables, clock, problem } = this.#options
    const load = () => loadOrCreate(tables, userId, clock.now())
    const runner: Runner = new Runner(userId, await load(), {
      committer: this.#committer,
      context: () => this.#context(),
      perform: (effect, book) => {
        const link = this.#members.get(userId)?.link
        if (link == null) runner.post(withoutLink(effect))
        else link.perform(effect, book)
      },
      changed: (before, after, facts) => {
        const change = { userId, before, after, facts }
        this.#members.get(userId)?.changed(change)
        this.#observers.accountChanged(change)
      },
      reload: () => (tables.lease.held() ? load() : Promise.reject(new NoLeaseError())),
      authorised: () => this.#members.get(userId)?.authorised ?? false,
      inheritedMs: tables.inheritedMs,
      problem: (error) => problem(userId, error),
    })
    return new Member(userId, runner, this.#memberWorld())
  }

  #memberWorld(): MemberWorld {
    const { tables, clock, env, problem } = this.#options
    return {
      clock,
      env,
      lease: tables.lease,
      steady: clock instanceof SteadyClock ? clock : undefined,
      board: this.#board,
      serverStop: () => this.#serverStop,
      problem,
      observers: this.#observers,
    }
  }

  #context(): Context {
    const { clock, env, timetables, limits } = this.#options
    return {
      now: clock.now(),
      env,
      timetable: timetables.current,
      limits,
      serverStop: this.#serverStop,
      quote: (code) => this.#board.quote(code),
    }
  }

  #member(userId: string): Member {
    const member = this.#members.get(userId)
    if (member === undefined)
      throw new Refused('NOT_FOUND', '그런 사용자가 없습니다. 사용자 목록에서 다시 골라 주세요.')
    return member
  }

  book(userId: string): Book {
    return this.#member(userId).runner.book
  }

  lastPrice(code: string): LastPrice | null {
    return this.#board.last(code)
  }

  outlook(userId: string, code: string): Outlook {
    return outlook(this.#member(userId).runner.account, this.#context(), code)
  }

  marks(userId: string): readonly unknown[] {
    const { account } = this.#member(userId).runner
    const { clock, timetables } = this.#options
    const prices = this.#priceMarks.of(userId, account.book)
    return [account, prices, this.#serverStop, timetables.current, Math.floor(clock.now() / 1_000)]
  }

  async ask(userId: string, command: Command): Promise<CommandDone> {
    const member = this.#member(userId)
    if (needsBroker(command)) {
      this.kis(userId)
      await member.ready
    }
    const prepared = await commandFor(command, member.link, member.runner.book)
    const before = member.runner.book
    const answer = await member.runner.ask(prepared)
    await member.verdicts.settled(before, member.runner.book, command, answer)
    return { differences: answer.differences }
  }

  async unlock(userId: string, credentials: KisCredentials): Promise<void> {
    await this.open(userId)
    const member = this.#member(userId)
    if (member.link !== null) return
    member.attach(this.#options.connect(userId, credentials))
  }

  async lock(userId: string): Promise<void> {
    await this.#member(userId).detach()
  }

  unlocked(userId: string): boolean {
    return this.#members.get(userId)?.link != null
  }

  kis(userId: string): KisRest {
    const link = this.#member(userId).link
    if (link === null) throw new Refused('NEED_USERKEY', '증권사 키가 없습니다. 다시 로그인하면 열립니다.')
    return link.broker.rest
  }

  socket(userId: string): SocketStatus {
    return this.#member(userId).socketStatus()
  }

  async connect(userId: string): Promise<void> {
    this.kis(userId)
    await this.#member(userId).link?.broker.socket.connect()
  }

  async disconnect(userId: string): Promise<void> {
    await this.#member(userId).disconnect()
  }

  async setServerStop(stop: Stop): Promise<void> {
    // In force at once; a failure to write it leaves the stricter state standing until somebody looks.
    this.#serverStop = stop
    this.#observers.serverStopChanged(stop)
    await writeServerStop(this.#options.tables.db, stop)
  }

  serverStop(): Stop {
    return this.#serverStop
  }

  get limits(): Limits {
    return this.#options.limits
  }

  observe(observer: AccountsObserver): () => void {
    return this.#observers.add(observer)
  }

  /** How the accounts are doing, with what keeps them from their work. */
  vitals(): Vitals {
    const { tables, clock } = this.#options
    const now = clock.now()
    const pulses = [...this.#members.values()].map((member) => member.pulse(now))
    return vitalsOf(pulses, {
      leaseHeld: tables.lease.held(),
      silentMs: tables.silentMs(),
      brokerDown: this.broker === 'down',
    })
  }

  /** `down`: nobody's lists could be read lately, so it is not one account's trouble. */
  get broker(): 'ok' | 'down' | 'unused' {
    const linked = [...this.#members.values()].filter((member) => member.link !== null)
    if (linked.length === 0) return 'unused'
    return linked.every((member) => member.runner.account.view.readFailures > 0) ? 'down' : 'ok'
  }

  /** Events in mailboxes and commits under way. */
  get queue(): number {
    let waiting = this.#committer.waiting
    for (const member of this.#members.values()) waiting += member.runner.waiting
    return waiting
  }

  get busy(): boolean {
    return this.#committer.waiting > 0 || [...this.#members.values()].some((member) => member.busy)
  }

  /** Near enough to a next buy that an account looks at it. Sells rest at the broker. */
  concerns(code: string, price: number): boolean {
    return this.#board.concerns(code, price)
  }

  /** Frames a user's socket has received, for whoever moves time by hand. */
  frames = (userId: string): number => this.#members.get(userId)?.link?.broker.socket.frames ?? 0
  /** What its client has asked and has no answer to, on any wire. */
  unanswered = (userId: string): number => this.#members.get(userId)?.link?.unanswered ?? 0

  /** Resolves when no event waits, nothing is on the wire and everything is durable. */
  async idle(): Promise<void> {
    while (this.busy) {
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
}
