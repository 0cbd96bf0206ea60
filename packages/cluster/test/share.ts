import { ALL_SHARDS } from '@digger/database/testing'
import type { Member } from '../src/index.ts'
import { chosenOf } from '../src/rendezvous.ts'

/** Shards that one of these workers has once nothing is to move any more. */
export function shareOf({ id }: Member, all: readonly Member[]): number {
  const ids = all.map((member) => member.id ?? '')
  return ALL_SHARDS.filter((shard) => chosenOf(shard, ids) === id).length
}
