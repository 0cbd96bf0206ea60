import { ALL_SHARDS } from '@digger/database/testing'
import { chosenOf } from '../src/rendezvous.ts'
import type { TestWorker } from './test-cluster.ts'

/** Shards that one of these workers has once nothing is to move any more. */
export function shareOf({ member: { id } }: TestWorker, all: readonly TestWorker[]): number {
  const ids = all.map(({ member }) => member.id ?? '')
  return ALL_SHARDS.filter((shard) => chosenOf(shard, ids) === id).length
}
