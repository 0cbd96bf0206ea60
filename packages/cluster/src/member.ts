import {
  type Clock,
  type Db,
  evenClock,
  every,
  FACTS_VERSION,
  type Lease,
  type OwnedShards,
  wait,
} from '@digger/database'
import type { Bus } from './bus/bus.ts'
import { FreeShards } from './free-shards.ts'
import { PeerWatch } from './peer-watch.ts'
import { Placement, type PlacementEvent, type ShardHolder } from './placement.ts'
import { WorkerSession } from './session.ts'
import { deafTo } from './stop-seen.ts'
import { removeWorker, type StopRow, type WorkerKey } from './worker-rows.ts'

const LOOK_INTERVAL_MS = 1_000
const BEGIN_AGAIN_MS = 500
/** Between two looks whether all shards are let go, ms. */
const EMPTY_LOOK_MS = 50
/** Between two looks whether a stop has been applied, ms. */
const STOP_LOOK_MS = 25

export type MembershipEvent =
  | { readonly kind: 'joined'; readonly worker: string }
  | { readonly kind: 'dead'; readonly worker: string }

export interface MemberParts {
  readonly url: string
  readonly db: Db
  readonly owned: OwnedShards
  readonly holder: ShardHolder
  /** Whether every account here trades that may; without it they do as soon as they are here. */
  readonly isArmed?: () => boolean
  /** Others hear over it that shards are free; without it they see that a second later. */
  readonly bus?: Pick<Bus, 'publish' | 'subscribe'>
  /** The public key of this process, proven for each name that it gets. */
  readonly keyOf?: (worker: string) => WorkerKey
  /** Applies the stop of the whole server in this very turn; called about once a second, and before this process may trade. */
  readonly stopRead: (stop: StopRow | null) => void
  readonly report: (event: PlacementEvent | MembershipEvent) => void
  /** What did not go as it should, and is tried again. */
  readonly problem: (error: unknown) => void
  /** Which kinds of facts this program reads, where not those of this version. */
  readonly facts?: number
  /** An even one, in the place of the process' own. */
  readonly clock?: Clock | undefined
}

interface Membership {
  readonly session: WorkerSession
  readonly placement: Placement
  readonly watch: PeerWatch
}

/**
 * This process as one worker of several: it is there, has its share of the shards, and takes over what others leave. Found dead
 * by the others (it stood still, or its line was cut) it loses everything and begins again as a new worker.
 */
export class Member {
  readonly #parts: MemberParts
  readonly #clock: Clock
  readonly #free: FreeShards | null
  #unfollow: (() => void) | undefined
  #now: Membership | null = null
  #former: string | null = null
  #endLooking: (() => void) | undefined
  #ended = false

  constructor(parts: MemberParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? evenClock
    this.#free = parts.bus === undefined ? null : new FreeShards(parts.bus)
  }

  /** Ms since the lease was last renewed; null while it begins anew. */
  get leaseAgeMs(): number | null {
    return this.#now?.session.leaseAgeMs ?? null
  }

  get shards(): number {
    return this.#parts.owned.all().length
  }

  get id(): string | null {
    return this.#now?.session.id ?? null
  }

  /** The right to trade: each membership has its own. */
  readonly lease: Lease = { held: () => this.#now?.session.lease.held() === true }

  /** Somebody says that the stop of the server has changed. */
  readStop(): void {
    this.#now?.session.renewNow()
  }

  /**
   * Waits until every other worker that may send has applied this version of the stop; one whose lease runs out meanwhile is found
   * dead. Returns those of which nobody knows after `withinMs`.
   */
  async stopHolds(version: number, withinMs: number): Promise<readonly string[]> {
    const until = this.#clock.now() + withinMs
    for (;;) {
      const { db, report } = this.#parts
      const { deaf, buried } = await deafTo(db, version, this.id)
      for (const worker of buried) report({ kind: 'buried', worker, why: 'lease' })
      if (deaf.length === 0 || this.#clock.now() > until) return deaf
      await wait(this.#clock, STOP_LOOK_MS)
    }
  }

  /** Throws DatabaseError where one server owns the whole database. */
  async begin(): Promise<void> {
    await this.#join()
    this.#endLooking = every(this.#clock, LOOK_INTERVAL_MS, () => void this.#look())
    this.#unfollow = this.#free?.follow(
      () => this.id,
      () => void this.#look(),
    )
    await this.#look()
  }

  /** Lets every shard go first, unless that takes longer than `withinMs`. */
  async end({ withinMs }: { withinMs: number }): Promise<void> {
    this.#endLooking?.()
    this.#unfollow?.()
    this.#ended = true
    const now = this.#now
    if (now === null) return
    const until = this.#clock.now() + withinMs
    now.session.drain()
    while (this.#parts.owned.all().length > 0 && this.#clock.now() < until && this.#now === now) {
      await now.placement.look().catch(this.#parts.problem)
      await wait(this.#clock, EMPTY_LOOK_MS)
    }
    // Whose shards the tables still name stays known: its successors wait by what became of its process.
    const isFree = this.#parts.owned.all().length === 0
    await now.placement.loseAll()
    if (this.#now === now && isFree) await removeWorker(this.#parts.db, now.session.id).catch(this.#parts.problem)
    await this.#leave(now)
  }

  async #join(): Promise<void> {
    const { url, db, owned, holder, isArmed, stopRead, keyOf = () => null, facts = FACTS_VERSION, clock } = this.#parts
    const report = (event: PlacementEvent): void => {
      if (event.kind === 'released') this.#free?.publish(session.id)
      this.#parts.report(event)
    }
    const lost = (): void => void this.#dead(membership)
    const session = new WorkerSession({ url, stopRead, keyOf, facts, former: this.#former, lost, clock })
    const placement = new Placement({ db, owned, holder, isArmed, me: session, report })
    const watch = new PeerWatch(url, (id) => placement.sessionGone(id))
    const membership: Membership = { session, placement, watch }
    await session.begin()
    this.#now = membership
    this.#parts.report({ kind: 'joined', worker: session.id })
  }

  async #look(): Promise<void> {
    const now = this.#now
    if (now === null) return
    try {
      now.watch.follow(await now.placement.look())
    } catch (error) {
      this.#parts.problem(error)
    }
  }

  async #dead(membership: Membership): Promise<void> {
    if (this.#now !== membership) return
    this.#now = null
    this.#former = membership.session.id
    this.#parts.report({ kind: 'dead', worker: membership.session.id })
    membership.watch.end()
    await membership.placement.loseAll()
    while (!this.#ended && this.#now === null) {
      try {
        await this.#join()
        await this.#look()
      } catch (error) {
        this.#parts.problem(error)
        await wait(this.#clock, BEGIN_AGAIN_MS)
      }
    }
  }

  async #leave({ session, watch }: Membership): Promise<void> {
    this.#now = null
    watch.end()
    await session.end()
  }
}
