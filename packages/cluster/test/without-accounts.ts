import type { OwnedShards } from '@digger/database'
import { Member, type MemberParts } from '../src/member.ts'
import type { ShardHolder } from '../src/placement.ts'

/** Has shards, and nothing in them. */
export function holderWithoutAccounts(owned: OwnedShards): ShardHolder {
  const drop = async (shards: readonly number[]): Promise<void> => {
    for (const shard of shards) owned.drop(shard)
  }
  return { own: async () => undefined, letGo: drop, lose: drop }
}

/** A worker with such shards, which tells nobody what happens to it unless it is to. */
export function memberWithoutAccounts(
  parts: Pick<MemberParts, 'url' | 'db' | 'owned'> & Partial<Omit<MemberParts, 'url' | 'db' | 'owned'>>,
): Member {
  return new Member({
    holder: holderWithoutAccounts(parts.owned),
    stopRead: () => undefined,
    report: () => undefined,
    problem: () => undefined,
    ...parts,
  })
}
