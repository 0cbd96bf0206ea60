import type { Db, Lease, OwnedShards } from '@digger/database'
import { PeerWatch } from './peer-watch.ts'
import { Placement, type PlacementEvent, type ShardHolder } from './placement.ts'
import { WorkerSession } from './session.ts'
import { removeWorker } from './worker-rows.ts'

const LOOK_INTERVAL_MS = 1_000
const BEGIN_AGAIN_MS = 500

export type MembershipEvent =
  | { readonly kind: 'joined'; readonly worker: string }
  | { readonly kind: 'dead'; readonly worker: string }

export interface MemberParts {
  readonly url: string
  readonly db: Db
  readonly owned: OwnedShards
  readonly holder: ShardHolder
  readonly report: (event: PlacementEvent | MembershipEvent) => void
  /** What did not go as it should, and is tried again. */
  readonly problem: (error: unknown) => void
  /** Which kinds of facts this program reads, where not those of this version. */
  readonly facts?: number
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
  #now: Membership | null = null
  #timer: NodeJS.Timeout | undefined
  #ended = false

  constructor(parts: MemberParts) {
    this.#parts = parts
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

  /** Throws DatabaseError where one server owns the whole database. */
  async begin(): Promise<void> {
    await this.#join()
    this.#timer = setInterval(() => void this.#look(), LOOK_INTERVAL_MS)
    this.#timer.unref()
    await this.#look()
  }

  /** Lets every shard go first, unless that takes longer than `withinMs`. */
  async end({ withinMs }: { withinMs: number }): Promise<void> {
    clearInterval(this.#timer)
    this.#ended = true
    const now = this.#now
    if (now === null) return
    const until = performance.now() + withinMs
    now.session.drain()
    while (this.#parts.owned.all().length > 0 && performance.now() < until && this.#now === now) {
      await now.placement.look().catch(this.#parts.problem)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await now.placement.loseAll()
    if (this.#now === now && this.#parts.owned.all().length === 0)
      await removeWorker(this.#parts.db, now.session.id).catch(this.#parts.problem)
    await this.#leave(now)
  }

  async #join(): Promise<void> {
    const { url, db, owned, holder, report, facts } = this.#parts
    const session = new WorkerSession(url, () => void this.#dead(membership), facts)
    const placement = new Placement({ db, owned, holder, me: session, report })
    const watch = new PeerWatch(url, (id) => placement.sessionGone(id))
    const membership: Membership = { session, placement, watch }
    await session.begin()
    this.#now = membership
    report({ kind: 'joined', worker: session.id })
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
    this.#parts.report({ kind: 'dead', worker: membership.session.id })
    membership.watch.end()
    await membership.placement.loseAll()
    while (!this.#ended && this.#now === null) {
      try {
        await this.#join()
        await this.#look()
      } catch (error) {
        this.#parts.problem(error)
        await new Promise((resolve) => setTimeout(resolve, BEGIN_AGAIN_MS))
      }
    }
  }

  async #leave({ session, watch }: Membership): Promise<void> {
    this.#now = null
    watch.end()
    await session.end()
  }
}
