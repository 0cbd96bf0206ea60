import type { OwnedShards } from '@digger/database'
import { FencedError } from '@digger/storage'
import type { Engine } from './engine.ts'

/**
 * Whether the account is here. A user who signed up since has one that nobody has loaded. A worker that ends has let every shard go
 * before it closes the database: what is asked of it then is for the next owner, and not its failure.
 */
export async function hasAccount(
  engine: Pick<Engine, 'open' | 'has'>,
  owned: Pick<OwnedShards, 'isOwn'>,
  userId: string,
): Promise<boolean> {
  if (!owned.isOwn(userId)) return false
  try {
    await engine.open(userId)
    return engine.has(userId)
  } catch (error) {
    if (error instanceof FencedError || !owned.isOwn(userId)) return false
    throw error
  }
}
