import { ALL_SHARDS } from '@digger/database/testing'
import { chosenOf } from '../src/rendezvous.ts'

interface Named {
  readonly id: string | null
}

/** What one of these workers has once nothing is to move any more. */
export function shardsOf({ id }: Named, all: readonly Named[]): number[] {
  const ids = all.map((member) => member.id ?? '')
  return ALL_SHARDS.filter((shard) => chosenOf(shard, ids) === id)
}

/** How many that are. */
export const shareOf = ({ member }: { readonly member: Named }, all: readonly { readonly member: Named }[]): number =>
  shardsOf(
    member,
    all.map((one) => one.member),
  ).length
