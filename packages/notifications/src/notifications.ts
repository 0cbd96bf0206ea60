import { type Fact, isAnyTraded, type Timetable } from '@digger/core'
import { type Clock, type Database, every } from '@digger/database'
import type { AccountAttention, Accounts, Trouble } from '@digger/engine'
import { accountsBehind, collectFills } from './outbox/collect.ts'
import { makeBundles } from './outbox/bundles.ts'
import { Deliverer } from './outbox/deliverer.ts'
import { nextDeliveryAt } from './outbox/deliveries.ts'
import { dropOld } from './outbox/notify.ts'
import type { Senders } from './senders.ts'
import type { TelegramBot } from './telegram/bot.ts'
import { AccountWatch } from './watch/account-watch.ts'
import { DaySummaries } from './watch/day-summary.ts'
import { ServerWatch } from './watch/server-watch.ts'

/** How often accounts and server are looked at, ms. */
const LOOK_MS = 5_000
/** Fills that come together are told together, ms. */
const TOGETHER_MS = 500
/** How often the journals of all accounts are looked at, whether or not anything was seen to change, ms. */
const ALL_MS = 60_000
/** How often what is old is forgotten, ms. */
const FORGET_MS = 3_600_000

export interface NotificationParts {
  readonly database: Pick<Database, 'db' | 'owned'>
  /** The market's time. */
  readonly clock: Clock
  /** The time of people. */
  readonly wall: Clock
  readonly accounts: Pick<Accounts, 'observe' | 'serverStopReason'>
  /** Those whose accounts are loaded here, where shards come and go; without it all that are owned. */
  readonly shards?: () => readonly number[]
  readonly attention: () => Iterable<AccountAttention>
  readonly timetable: () => Timetable
  readonly troubles: () => readonly Trouble[]
  /** `down`: nobody's lists could be read lately. */
  readonly broker: () => 'ok' | 'down' | 'unused'
  /** This process among others. */
  readonly process: () => string
  /** By which addresses are sealed. */
  readonly key: Buffer
  readonly senders: Pick<Senders, 'send'>
  /** Listens to what people write to the operator's bot. */
  readonly bot?: TelegramBot | undefined
  readonly pageOf: (userId: string) => string | null
  readonly problem: (userId: string | null, error: unknown) => void
}

/** Facts that somebody is told of. What lasts is looked at instead. */
const TOLD: ReadonlySet<Fact['kind']> = new Set(['orderFilled'])

/** Tells people what happens in the accounts of this process: collects, bundles and delivers, beside the trading and never in its way. */
export class Notifications {
  readonly #parts: NotificationParts
  readonly #deliverer: Deliverer
  readonly #watches: readonly { look(): Promise<void> }[]
  readonly #dirty = new Set<string>()
  readonly #ends: (() => void)[] = []
  #seenShards: ReadonlySet<number> = new Set()
  #running: Promise<void> | null = null
  #again = false
  #stopped = true
  #nextLookAt = 0
  #forgottenAt = 0
  #allAt = 0
  #callOff: () => void = () => undefined
  #timerAt = Number.POSITIVE_INFINITY

  constructor(parts: NotificationParts) {
    this.#parts = parts
    const { database, wall, clock, accounts, timetable, problem, key, senders, pageOf } = parts
    const { db } = database
    const shards = (): readonly number[] => this.#shards()
    const wake = (): void => this.wake()
    this.#deliverer = new Deliverer({
      db,
      wall,
      key,
      shards,
      pageOf,
      problem,
      wake,
      send: (...args) => senders.send(...args),
    })
    this.#watches = [
      new AccountWatch({ db, wall, shards, attention: parts.attention, problem }),
      new ServerWatch({
        db,
        wall,
        process: parts.process,
        troubles: parts.troubles,
        broker: parts.broker,
        isSession: () => isAnyTraded(clock.now(), timetable()),
        stopReason: () => accounts.serverStopReason(),
        isFirst: () => shards().includes(0),
      }),
      new DaySummaries({ db, clock, timetable, accounts: parts.attention }),
    ]
  }

  start(): void {
    const { accounts, wall } = this.#parts
    this.#stopped = false
    this.#ends.push(
      accounts.observe({
        accountChanged: ({ userId, facts }) => {
          if (!facts.some(({ kind }) => TOLD.has(kind))) return
          this.#dirty.add(userId)
          this.#wakeAt(wall.now() + TOGETHER_MS)
        },
      }),
      every(wall, LOOK_MS, () => this.wake()),
    )
    this.wake()
  }

  /** Something may be there to be told. */
  wake(): void {
    this.#again = true
    if (this.#running !== null || this.#stopped) return
    this.#running = this.#run().finally(() => {
      this.#running = null
      if (this.#again) this.wake()
    })
  }

  /** Resolves when nothing is on its way. */
  async idle(): Promise<void> {
    await this.#running
    await this.#deliverer.idle()
  }

  /** Begins nothing more. Resolves when what is on its way has come to an end. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#callOff()
    for (const end of this.#ends.splice(0)) end()
    const delivered = this.#deliverer.stop()
    await this.#running
    await Promise.all([delivered, this.#parts.bot?.stop()])
  }

  #shards(): readonly number[] {
    return this.#parts.shards?.() ?? this.#parts.database.owned.all()
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      try {
        await this.#look()
      } catch (error) {
        // A database that is away: what is to be told stands in it, and the next look finds it.
        if (!this.#stopped) this.#parts.problem(null, error)
      }
    }
  }

  async #look(): Promise<void> {
    const { database, wall } = this.#parts
    const { db } = database
    const shards = this.#shards()
    // One that was away may come back with fills that another process booked.
    this.#seenShards = new Set(shards.filter((shard) => this.#seenShards.has(shard)))
    if (shards.length === 0) return this.#attempt(() => this.#parts.bot?.stop())
    await this.#collect(shards)
    const now = wall.now()
    if (now >= this.#nextLookAt || now < this.#nextLookAt - LOOK_MS) {
      this.#nextLookAt = now + LOOK_MS - TOGETHER_MS
      // What one of them trips over keeps no fill from anybody.
      for (const watch of this.#watches) await this.#attempt(() => watch.look())
      await this.#attempt(() => this.#parts.bot?.look())
      await this.#forget(shards, now)
    }
    const bundleAt = await makeBundles(db, shards, wall.now())
    await this.#deliverer.fill()
    const deliverAt = await nextDeliveryAt(db, shards, wall.now())
    for (const at of [bundleAt, deliverAt]) if (at !== null) this.#wakeAt(at)
  }

  async #attempt(work: () => Promise<void> | undefined): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#parts.problem(null, error)
    }
  }

  /**
   * What changed, and of shards that have just come all that nobody told of yet. Now and then of all: a change of which nobody here was
   * told, as of a commit whose answer was lost, is in the journal, too.
   */
  async #collect(shards: readonly number[]): Promise<void> {
    const { db } = this.#parts.database
    const now = this.#parts.wall.now()
    const isAll = now - this.#allAt >= ALL_MS || now < this.#allAt
    const come = isAll ? shards : shards.filter((shard) => !this.#seenShards.has(shard))
    const behind = come.length === 0 ? [] : await accountsBehind(db, come)
    const dirty = [...new Set([...this.#dirty, ...behind])]
    this.#dirty.clear()
    try {
      await collectFills(db, dirty)
      this.#seenShards = new Set(shards)
      if (isAll) this.#allAt = now
    } catch (error) {
      for (const userId of dirty) this.#dirty.add(userId)
      throw error
    }
  }

  async #forget(shards: readonly number[], now: number): Promise<void> {
    if (Math.abs(now - this.#forgottenAt) < FORGET_MS) return
    const { db } = this.#parts.database
    await dropOld(db, shards, now)
    this.#forgottenAt = now
  }

  #wakeAt(at: number): void {
    const { wall } = this.#parts
    const now = wall.now()
    // The regular look comes anyway.
    if (this.#stopped || at - now >= LOOK_MS || (this.#timerAt > now && this.#timerAt <= at)) return
    this.#callOff()
    this.#timerAt = at
    this.#callOff = wall.after(Math.max(0, at - now), () => {
      this.#timerAt = Number.POSITIVE_INFINITY
      this.wake()
    })
  }
}
