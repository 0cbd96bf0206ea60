import type { OwnedShards } from '@digger/database'
import type { ShardHolder } from './placement.ts'

/** The shards whose accounts are here with their keys: jobs begin nothing before, nor once a shard is on its way to another. */
export class LoadedShards {
  readonly #owned: Pick<OwnedShards, 'has'>
  readonly #loaded = new Set<number>()

  constructor(owned: Pick<OwnedShards, 'has'>) {
    this.#owned = owned
  }

  all(): number[] {
    return [...this.#loaded].filter((shard) => this.#owned.has(shard))
  }

  /** The same holder, followed. */
  following(holder: ShardHolder): ShardHolder {
    const drop = (shards: readonly number[]): void => shards.forEach((shard) => this.#loaded.delete(shard))
    return {
      own: async (shards) => {
        await holder.own(shards)
        for (const shard of shards) if (this.#owned.has(shard)) this.#loaded.add(shard)
      },
      letGo(shards) {
        drop(shards)
        return holder.letGo(shards)
      },
      lose(shards) {
        drop(shards)
        return holder.lose(shards)
      },
    }
  }
}
