import { shardOf } from '@digger/database'
import type { Tables } from '@digger/storage'
import type { AccountRegistry } from './account-registry.ts'

/** The accounts of the shards that this process owns: in it with the shard, and out of it. */
export class ShardsInHand {
  readonly #tables: Pick<Tables, 'db' | 'owned'>
  readonly #accounts: AccountRegistry

  constructor(tables: Pick<Tables, 'db' | 'owned'>, accounts: AccountRegistry) {
    this.#tables = tables
    this.#accounts = accounts
  }

  async own(shards: readonly number[]): Promise<void> {
    const users = await this.#tables.db.selectFrom('users').select('id').execute()
    const own = new Set(shards)
    await this.#accounts.openAll(users.map(({ id }) => id).filter((id) => own.has(shardOf(id))))
  }

  async letGo(shards: readonly number[]): Promise<void> {
    await Promise.all(this.#of(shards).map((userId) => this.#accounts.end(userId, { drained: true })))
    for (const shard of shards) this.#tables.owned.drop(shard)
  }

  async lose(shards: readonly number[]): Promise<void> {
    for (const shard of shards) this.#tables.owned.drop(shard)
    await Promise.all(this.#of(shards).map((userId) => this.#accounts.end(userId)))
  }

  #of(shards: readonly number[]): string[] {
    const set = new Set(shards)
    return [...this.#accounts.all()].map(({ userId }) => userId).filter((userId) => set.has(shardOf(userId)))
  }
}
