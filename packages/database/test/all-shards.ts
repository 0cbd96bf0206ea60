import { SHARDS } from '../src/shards.ts'

export const ALL_SHARDS: readonly number[] = Array.from({ length: SHARDS }, (_, shard) => shard)
