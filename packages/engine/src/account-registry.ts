import { Refused } from '@digger/contract'
import { background, every, shardOf } from '@digger/database'
import { ConnectedAccount, type SharedParts } from './account/connected-account.ts'
import { Rehearsing } from './rehearsal.ts'
import type { Trouble } from './vitals.ts'
import { AccountReader, Committer, FencedError, type Loaded, type Tables } from '@digger/storage'

/** Between two tries to read an account that could not be read, ms. */
const READ_AGAIN_MS = 60_000

interface RegistryParts extends Pick<SharedParts, 'conditions' | 'observers' | 'problem' | 'fenced'> {
  readonly tables: Tables
}

/** The accounts this server has loaded, where they are stored, and the timer they all follow. */
export class AccountRegistry {
  readonly #tables: Tables
  readonly #shared: SharedParts
  #stopTimer: (() => void) | null = null
  /** Whether not all accounts have had their last time. */
  #isTicking = false
  readonly #accounts = new Map<string, ConnectedAccount>()
  readonly #unread = new Map<string, unknown>()
  #readAgainAt = performance.now()
  /** Shards that go to another process, with the epoch they are let go in. */
  readonly #leaving = new Map<number, number>()
  readonly rehearsing: Rehearsing
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
    this.rehearsing = new Rehearsing(this, conditions, observers)
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
    for await (const [userId, loaded] of reader.loadAll(missing, (id, error) => this.#failed(id, error)))
      if (owned.isOwn(userId)) this.#place(userId, loaded)
  }

  /** Whose account could not be read, with the reason; tried again each minute. */
  get unread(): ReadonlyMap<string, unknown> {
    for (const userId of this.#unread.keys())
      if (this.#accounts.has(userId) || !this.#shared.owned.isOwn(userId)) this.#unread.delete(userId)
    return this.#unread
  }

  get troubles(): Trouble[] {
    const { size } = this.unread
    return size === 0 ? [] : [{ code: 'unread', accounts: size, text: `계좌 ${size}개: ${UNREAD}` }]
  }

  #failed(userId: string, error: unknown): void {
    this.#unread.set(userId, error)
    this.#shared.problem(userId, error)
  }

  #readAgain(): void {
    const now = performance.now()
    if (now - this.#readAgainAt < READ_AGAIN_MS) return
    this.#readAgainAt = now
    for (const userId of this.unread.keys()) this.open(userId).catch((error: unknown) => this.#failed(userId, error))
  }

  async letGo(shards: readonly number[]): Promise<void> {
    const { owned } = this.#shared
    const epochs = new Map(shards.map((shard) => [shard, owned.epochOf(shard)]))
    for (const [shard, epoch] of epochs) if (epoch !== undefined) this.#leaving.set(shard, epoch)
    await Promise.all(this.#usersOf(shards).map((userId) => this.#end(userId, { drained: true })))
    for (const [shard, epoch] of epochs) {
      // One that was lost and taken again meanwhile is this process' anew.
      if (owned.epochOf(shard) === epoch) owned.drop(shard)
      if (this.#leaving.get(shard) === epoch) this.#leaving.delete(shard)
    }
  }

  /** Whether the user's account goes to another process, as soon as what is on the wire has come back. */
  isLeaving(userId: string): boolean {
    const epoch = this.#shared.owned.of(userId)?.epoch
    return epoch !== undefined && this.#leaving.get(shardOf(userId)) === epoch
  }

  async lose(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#shared.owned.drop(shard)
    await Promise.all(this.#usersOf(shards).map((userId) => this.#end(userId)))
  }

  #usersOf(shards: readonly number[]): string[] {
    const set = new Set(shards)
    return [...this.#accounts.keys()].filter((userId) => set.has(shardOf(userId)))
  }

  /** The shard may be another process' by now, or go to one: an account that has ended for it does not begin again. */
  #place(userId: string, loaded: Loaded): void {
    const { epoch } = loaded
    if (this.#shared.owned.of(userId)?.epoch !== epoch || this.isLeaving(userId)) throw new FencedError()
    if (!this.#accounts.has(userId)) this.#accounts.set(userId, new ConnectedAccount(userId, loaded, this.#shared))
  }

  /** Another process has the account, or takes it. `drained`: what is on the wire comes back first. */
  async #end(userId: string, { drained = false } = {}): Promise<void> {
    const account = this.#accounts.get(userId)
    if (account === undefined) return
    if (drained) await account.drain()
    // Gone from here in the turn in which it ends: nobody is answered by an account without its broker.
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
    this.#stopTimer = every(this.#shared.conditions.clock, ms, () => this.#tickInTurns())
  }

  /** Stops the timer and takes the broker of every account away. */
  async close(): Promise<void> {
    this.#stopTimer?.()
    await Promise.all([...this.all()].map((account) => account.detach()))
  }

  /** What time alone brings about, at once: for whoever moves time by hand. */
  tick(): void {
    this.#tickOnce()
    for (const account of this.#accounts.values()) this.#tickAccount(account)
  }

  /** The same by the timer: orders do not wait until all accounts have had theirs. */
  #tickInTurns(): void {
    if (this.#isTicking) return
    this.#isTicking = true
    this.#tickOnce()
    for (const [userId, account] of this.#accounts)
      background.run(() => {
        if (this.#accounts.get(userId) === account) this.#tickAccount(account)
      })
    background.run(() => (this.#isTicking = false))
  }

  #tickOnce(): void {
    const { conditions, problem } = this.#shared
    this.#readAgain()
    conditions.closings.write().catch((error: unknown) => problem(null, error))
  }

  #tickAccount(account: ConnectedAccount): void {
    const { conditions, problem, observers } = this.#shared
    const { timetables, clock } = conditions
    account.tick()
    observers.ticked(account.userId)
    if (account.effects === null) return
    const { rest } = account.effects.broker
    timetables.refresh(rest, clock.now()).catch((error: unknown) => problem(null, error))
  }
}

const UNREAD =
  '저장된 계좌를 읽지 못해 매매하지 않습니다. 1분마다 다시 읽어 봅니다. 계속되면 로그에서 원인을 보고 npm run verify로 확인해 주세요.'
