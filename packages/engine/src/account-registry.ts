import { Refused } from '@digger/contract'
import { every, shardOf } from '@digger/database'
import { ConnectedAccount, type SharedParts } from './account/connected-account.ts'
import { AccountReader, Committer, FencedError, type Loaded, type Tables } from '@digger/storage'

interface RegistryParts extends Pick<SharedParts, 'conditions' | 'observers' | 'problem' | 'fenced'> {
  readonly tables: Tables
}

/** The accounts this server has loaded, where they are stored, and the timer they all follow. */
export class AccountRegistry {
  readonly #tables: Tables
  readonly #shared: SharedParts
  #stopTimer: (() => void) | null = null
  readonly #accounts = new Map<string, ConnectedAccount>()
  readonly #opening = new Map<string, Promise<Loaded>>()

  constructor({ tables, conditions, observers, problem, fenced }: RegistryParts) {
    this.#tables = tables
    this.#shared = {
      conditions,
      observers,
      committer: new Committer(tables.pool, tables.lease),
      reader: new AccountReader(tables, conditions.clock),
      lease: tables.lease,
      owned: tables.owned,
      problem,
      fenced: (userId) => {
        this.#end(userId).catch((error: unknown) => problem(userId, error))
        fenced(userId)
      },
    }
    conditions.clock.onSet?.(() => {
      for (const account of this.all()) account.clockSet()
    })
  }

  /** Loads the account of a user. Idempotent. Throws FencedError where another process has it. */
  async open(userId: string): Promise<void> {
    if (this.#accounts.has(userId)) return
    const opening = this.#opening.get(userId) ?? this.#shared.reader.load(userId)
    this.#opening.set(userId, opening)
    try {
      this.#place(userId, await opening)
    } finally {
      this.#opening.delete(userId)
    }
  }

  /** Loads the accounts of these shards, many at a time; what another process has is left out. */
  async own(shards: readonly number[]): Promise<void> {
    const { reader, owned } = this.#shared
    const users = await this.#tables.db.selectFrom('users').select('id').execute()
    const own = new Set(shards)
    const missing = users.map(({ id }) => id).filter((id) => own.has(shardOf(id)) && !this.#accounts.has(id))
    for await (const [userId, loaded] of reader.loadAll(missing))
      if (owned.of(userId) !== undefined) this.#place(userId, loaded)
  }

  async letGo(shards: readonly number[]): Promise<void> {
    const { owned } = this.#shared
    const epochs = new Map(shards.map((shard) => [shard, owned.epochOf(shard)]))
    await Promise.all(this.#usersOf(shards).map((userId) => this.#end(userId, { drained: true })))
    // One that was lost and taken again meanwhile is this process' anew.
    for (const shard of shards) if (owned.epochOf(shard) === epochs.get(shard)) owned.drop(shard)
  }

  async lose(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#shared.owned.drop(shard)
    await Promise.all(this.#usersOf(shards).map((userId) => this.#end(userId)))
  }

  #usersOf(shards: readonly number[]): string[] {
    const set = new Set(shards)
    return [...this.#accounts.keys()].filter((userId) => set.has(shardOf(userId)))
  }

  /** The shard may be another process' by now. */
  #place(userId: string, loaded: Loaded): void {
    if (this.#shared.owned.of(userId)?.epoch !== loaded.epoch) throw new FencedError()
    if (!this.#accounts.has(userId)) this.#accounts.set(userId, new ConnectedAccount(userId, loaded, this.#shared))
  }

  /** Another process has the account, or takes it. `drained`: what is on the wire comes back first. */
  async #end(userId: string, { drained = false } = {}): Promise<void> {
    const account = this.#accounts.get(userId)
    if (account === undefined) return
    if (drained) await account.drain()
    if (this.#accounts.get(userId) === account) this.#accounts.delete(userId)
    await account.end()
  }

  find(userId: string): ConnectedAccount | undefined {
    return this.#accounts.get(userId)
  }

  /** Throws Refused NOT_FOUND for an unknown user. */
  get(userId: string): ConnectedAccount {
    const account = this.#accounts.get(userId)
    if (account === undefined)
      throw new Refused('NOT_FOUND', '그런 사용자가 없습니다. 사용자 목록에서 다시 골라 주세요.')
    return account
  }

  all(): IterableIterator<ConnectedAccount> {
    return this.#accounts.values()
  }

  /** Changes that wait to be written. */
  get waitingCommits(): number {
    return this.#shared.committer.waiting
  }

  /** Whether closing prices are being written, or wait for it. */
  get writesClosings(): boolean {
    return this.#shared.conditions.closings.busy
  }

  startTimer(ms: number): void {
    this.#stopTimer = every(this.#shared.conditions.clock, ms, () => this.tick())
  }

  /** Stops the timer and takes the broker of every account away. */
  async close(): Promise<void> {
    this.#stopTimer?.()
    await Promise.all([...this.all()].map((account) => account.detach()))
  }

  /** What time alone brings about: called by the timer, and by whoever moves time by hand. */
  tick(): void {
    const { conditions, problem } = this.#shared
    const { timetables, clock, closings } = conditions
    closings.write().catch((error: unknown) => problem(null, error))
    for (const account of this.#accounts.values()) {
      account.tick()
      if (account.effects === null) continue
      const { rest } = account.effects.broker
      timetables.refresh(rest, clock.now()).catch((error: unknown) => problem(null, error))
    }
  }
}
