import type { Db, Lease, OwnedShards } from '@digger/database'
import { release, shardRows, takeFree, type ShardRow } from './claims.ts'
import { Releases } from './releases.ts'
import { chosenOf } from './rendezvous.ts'
import { buryWorker, dropLongDead, liveWorkers, type LiveWorker } from './worker-rows.ts'

/** Where the accounts of shards live: the engine. Each resolves when it is done. */
export interface ShardHolder {
  own(shards: readonly number[]): Promise<void>
  /** Lets what is on the wire come back first. */
  letGo(shards: readonly number[]): Promise<void>
  /** Nothing is written or sent from this very turn on. */
  lose(shards: readonly number[]): Promise<void>
}

export interface PlacementParts {
  readonly db: Db
  readonly owned: OwnedShards
  readonly holder: ShardHolder
  /** Whether every account here trades that may. */
  readonly isArmed?: (() => boolean) | undefined
  readonly me: {
    readonly id: string
    readonly lease: Lease
    readonly draining: boolean
    readonly facts: number
    readonly attachedMs: number
  }
  /** What happened, for the log and the page of the server. */
  readonly report: (event: PlacementEvent) => void
}

export type PlacementEvent =
  | { readonly kind: 'claimed'; readonly shards: readonly number[]; readonly ms: number }
  | { readonly kind: 'released' | 'lost'; readonly shards: readonly number[] }
  | { readonly kind: 'buried'; readonly worker: string; readonly why: 'lease' | 'session' }

/** So many shards move at a time to a worker that has come: each account stands still while it does. */
const MOVE_CONCURRENCY = 16

/**
 * So many are taken at a time. Between two such steps whoever has come back gets its share: else a worker that takes over those of all
 * others would look at nothing until their accounts are loaded, and would load what it gives away at once.
 */
const CLAIM_CONCURRENCY = 64

/**
 * A shard that has come stays until its accounts trade, at most for so long, ms: one that goes back to a worker which has begun again
 * would stand still twice in a row. A worker that drains does not wait.
 */
const STAY_MS = 10_000

/**
 * The others get this long to come back after an outage of the database, ms. Nobody's lease was renewed and nobody's lock kept: else
 * whoever is back first finds all others dead, and every account moves twice.
 */
const RETURN_MS = 3_000

/** How often rows of the long dead are looked for, ms. */
const DROP_INTERVAL_MS = 3_600_000

/**
 * Which shards this worker has. Every worker reckons the same from the same rows, and nobody leads: it takes what is free and
 * chosen for it, lets go what is chosen for another one that is there, and loses what another has taken.
 */
export class Placement {
  readonly #parts: PlacementParts
  readonly #leaving = new Set<number>()
  readonly #releases: Releases
  #looking: Promise<readonly LiveWorker[]> | null = null
  #again = false
  #droppedAt = Number.NEGATIVE_INFINITY
  /** A round of a worker that was found dead may still wait for the database: what is owned by then is its successor's. */
  #ended = false

  constructor(parts: PlacementParts) {
    this.#parts = parts
    this.#releases = new Releases((shards) => release(parts.db, parts.me.id, shards, { clean: true }))
  }

  /** The others that are there. To be called each second, and whenever something is known to have happened. */
  look(): Promise<readonly LiveWorker[]> {
    if (this.#looking !== null) this.#again = true
    this.#looking ??= this.#look().finally(() => (this.#looking = null))
    return this.#looking
  }

  /** Whoever got the lock of another knows that its session is gone. */
  async sessionGone(id: string): Promise<void> {
    if (!this.#mayBury) return
    if (await buryWorker(this.#parts.db, id, { sessionIsGone: true }))
      this.#report({ kind: 'buried', worker: id, why: 'session' })
    // Not waited for: until then the other one does not get its lock, nor knows that it is to begin again. Failures show each second.
    void this.look().catch(() => undefined)
  }

  /** Others have found this worker dead, or its process ends at once: nothing is done after it. */
  async loseAll(): Promise<void> {
    this.#ended = true
    await this.#lose(this.#parts.owned.all())
  }

  async #look(): Promise<readonly LiveWorker[]> {
    let live: readonly LiveWorker[]
    do {
      this.#again = false
      live = await this.#round()
    } while (this.#again)
    return live.filter(({ id }) => id !== this.#parts.me.id)
  }

  async #round(): Promise<readonly LiveWorker[]> {
    const { db, me } = this.#parts
    const [live, shards] = [await liveWorkers(db), await shardRows(db)]
    if (this.#ended) return live
    await this.#lose(this.#takenByOthers(shards))
    // After an outage its own row has run out: reckoning without itself it would let everything go.
    if (!live.some(({ id }) => id === me.id)) return live
    await this.#buryExpired(live, shards)
    if (this.#ended) return live
    const able = live.filter(({ id, draining }) => (id === me.id ? !me.draining : !draining))
    const isMine = ({ id, facts }: ShardRow): boolean => chosenOf(id, readersOf(able, facts)) === me.id
    const left = shards.filter(({ id }) => !this.#parts.owned.has(id) && !this.#leaving.has(id))
    if (me.lease.held()) await this.#claimSome(left.filter(isMine), live)
    // By the tables only: a shard could not be let go, or its accounts not be read.
    const idle = left.filter((shard) => shard.worker === me.id && !isMine(shard)).map(({ id }) => id)
    if (this.#ended) return live
    await release(db, me.id, idle, { clean: false })
    await this.#dropLongDead()
    if (this.#ended) return live
    this.#letGo(this.#mayGo(shards.filter((shard) => this.#has(shard.id) && !isMine(shard)).map(({ id }) => id)))
    return live
  }

  get #mayBury(): boolean {
    return this.#parts.me.attachedMs >= RETURN_MS
  }

  #has(shard: number): boolean {
    return this.#parts.owned.has(shard) && !this.#leaving.has(shard)
  }

  #mayGo(shards: readonly number[]): readonly number[] {
    const { owned, me, isArmed = () => true } = this.#parts
    if (shards.length === 0 || me.draining || isArmed()) return shards
    return shards.filter((shard) => owned.ageOf(shard) > STAY_MS)
  }

  #takenByOthers(shards: readonly ShardRow[]): number[] {
    const { owned, me } = this.#parts
    return shards
      .filter(({ id, worker, epoch }) => owned.has(id) && (worker !== me.id || owned.epochOf(id) !== epoch))
      .map(({ id }) => id)
  }

  /** Whose lease is over, whatever became of it: what it commits from now on is refused, and what it claimed is free. */
  async #buryExpired(live: readonly LiveWorker[], shards: readonly ShardRow[]): Promise<void> {
    if (!this.#mayBury) return
    const alive = new Set<string | null>(live.map(({ id }) => id))
    const silent = new Set(shards.flatMap(({ worker }) => (worker === null || alive.has(worker) ? [] : [worker])))
    for (const worker of silent) {
      if (worker === this.#parts.me.id) continue
      if (await buryWorker(this.#parts.db, worker, { sessionIsGone: false }))
        this.#report({ kind: 'buried', worker, why: 'lease' })
    }
  }

  async #dropLongDead(): Promise<void> {
    const now = performance.now()
    if (!this.#mayBury || now - this.#droppedAt < DROP_INTERVAL_MS) return
    this.#droppedAt = now
    await dropLongDead(this.#parts.db)
  }

  async #claimSome(wanted: readonly ShardRow[], live: readonly LiveWorker[]): Promise<void> {
    const nobody = new Set<string | null>([null, this.#parts.me.id])
    const alive = new Set<string | null>(live.map(({ id }) => id))
    // Of those who are gone last: not all of them may have been found dead yet.
    const free = [
      ...wanted.filter(({ worker }) => nobody.has(worker)),
      ...wanted.filter(({ worker }) => !nobody.has(worker) && !alive.has(worker)),
    ]
    const some = free.slice(0, CLAIM_CONCURRENCY).map(({ id }) => id)
    const isMore = free.length > some.length
    if ((await this.#claim(some)) && isMore) this.#again = true
  }

  /** False: others were quicker. */
  async #claim(shards: readonly number[]): Promise<boolean> {
    const { db, me, owned, holder } = this.#parts
    const began = performance.now()
    const claimed = await takeFree(db, me, shards)
    if (claimed.size === 0 || this.#ended) return false
    for (const [shard, how] of claimed) owned.take(shard, how)
    const ids = [...claimed.keys()]
    this.#report({ kind: 'claimed', shards: ids, ms: performance.now() - began })
    try {
      await holder.own(ids)
    } catch (error) {
      if (!this.#ended) await this.#lose(ids)
      throw error
    }
    return true
  }

  async #lose(shards: readonly number[]): Promise<void> {
    if (shards.length === 0) return
    this.#report({ kind: 'lost', shards })
    await this.#parts.holder.lose(shards)
  }

  /** Beside the rounds: they go on while what is on the wire comes back. */
  #letGo(shards: readonly number[]): void {
    const { me, holder } = this.#parts
    const some = me.draining ? shards : shards.slice(0, Math.max(0, MOVE_CONCURRENCY - this.#leaving.size))
    for (const shard of some) {
      this.#leaving.add(shard)
      // Each by itself: the accounts of one do not stand still for an order of another.
      holder
        .letGo([shard])
        .then(() => this.#releases.add(shard))
        .then(() => this.#report({ kind: 'released', shards: [shard] }))
        .catch(() => (this.#ended ? undefined : this.#lose([shard])))
        .finally(() => this.#leaving.delete(shard))
    }
  }

  #report(event: PlacementEvent): void {
    this.#parts.report(event)
  }
}

/** A shard never goes back to a program that might not read what a newer one wrote. */
const readersOf = (workers: readonly LiveWorker[], facts: number): string[] =>
  workers.filter((worker) => worker.facts >= facts).map(({ id }) => id)
