import { setTimeout as delay } from 'node:timers/promises'
import type { Process } from '../machine/process.ts'
import { changesOf, Committer, loadOrCreate, Member, openDatabase, OwnedShards, shardOf } from './product.ts'

/** Between two decisions of a worker, and between a commit and its order, ms. */
const DECIDE_MS = 300
const GATE_MS = 100

/** What a worker did, in the instant in which it did it. */
export interface Deed {
  readonly worker: Process
  readonly userId: string
  readonly epoch: number
}

export interface TraderParts {
  readonly url: string
  readonly process: Process
  readonly userIds: readonly string[]
  readonly sent: (deed: Deed) => void
  readonly report: (text: string) => void
}

/**
 * One worker: the product's own membership, leases, claims and commits, and in place of the engine an account that decides again
 * and again. Each decision is committed, waits for its turn, and leaves after the last look.
 */
export class Trader {
  readonly owned = new OwnedShards()
  readonly #parts: TraderParts
  readonly #deciding = new Set<string>()
  #member: InstanceType<typeof Member> | null = null

  constructor(parts: TraderParts) {
    this.#parts = parts
  }

  get id(): string | null {
    return this.#member?.id ?? null
  }

  async begin(): Promise<void> {
    const { url, userIds, report } = this.#parts
    const database = await openDatabase({ databaseUrl: url, dataDir: '', exclusive: false })
    const drop = async (shards: readonly number[]): Promise<void> => {
      for (const shard of shards) this.owned.drop(shard)
    }
    const member = new Member({
      url,
      db: database.db,
      owned: this.owned,
      holder: { own: async () => undefined, letGo: drop, lose: drop },
      stopRead: () => undefined,
      report: (event) =>
        this.#parts.report('shards' in event ? `${event.kind} ${event.shards.length}` : JSON.stringify(event)),
      problem: (error) => report(String(error)),
    })
    this.#member = member
    const committer = new Committer(database.pool, member.lease)
    await member.begin()
    setInterval(() => {
      for (const userId of userIds) void this.#decide(userId, { ...database, lease: member.lease }, committer)
    }, DECIDE_MS)
  }

  /** A decision that fails is none: the next one begins with what the tables say. */
  async #decide(
    userId: string,
    database: Awaited<ReturnType<typeof openDatabase>>,
    committer: InstanceType<typeof Committer>,
  ): Promise<void> {
    const epoch = this.owned.of(userId)?.epoch
    if (epoch === undefined || this.#deciding.has(userId)) return
    this.#deciding.add(userId)
    try {
      const { book, seq } = await loadOrCreate(database, userId, Date.now())
      const stop = book.stop === 'reduce' ? 'active' : 'reduce'
      const fact = { kind: 'userStopped', at: Date.now(), stop } as const
      await committer.commit(changesOf(userId, { seq, epoch }, [fact], { ...book, stop }))
      await delay(GATE_MS)
      if (this.owned.of(userId)?.epoch === epoch && database.lease.held())
        this.#parts.sent({ worker: this.#parts.process, userId, epoch })
    } catch (error) {
      this.#parts.report(`nothing decided: ${String(error)}`)
    } finally {
      this.#deciding.delete(userId)
    }
  }

  /** Whether it has the account, as far as it knows. */
  has(userId: string): boolean {
    return this.owned.has(shardOf(userId))
  }
}
