import { forgedTo, ProvenKeys, provenKey, type ShardHolder, type Takeovers, type WorkerSecrets } from '@digger/cluster'
import { type Db, type OwnedShards, shardOf } from '@digger/database'
import { KeyShares, newKeyPair } from '@digger/identity'
import type { FastifyBaseLogger } from 'fastify'
import type { KeyUpkeep } from '@digger/key-ring'
import type { Assembled } from './server.ts'

export interface WorkerKeysParts {
  readonly db: Db
  readonly secrets: WorkerSecrets
  readonly owned: OwnedShards
  readonly log: FastifyBaseLogger
}

/** The pair of this process, in memory alone, and what is sealed for it and for the other workers. */
export function workerKeys({ db, secrets, owned, log }: WorkerKeysParts) {
  const pair = newKeyPair()
  const proven = new ProvenKeys(db, secrets, forgedTo(log))
  const shares = new KeyShares({
    db,
    pair,
    memberKey: secrets.workers.memberKey,
    recipients: () => proven.live(),
    isOwn: (userId) => owned.isOwn(userId),
  })
  return { pair, shares, keyOf: (worker: string) => provenKey(worker, pair.publicKey, secrets) }
}

export interface HolderParts {
  readonly owned: OwnedShards
  readonly upkeep: Pick<KeyUpkeep, 'share'>
  readonly takeovers: Takeovers
}

interface Held extends Pick<Assembled, 'problem'> {
  readonly engine: ShardHolder
  readonly services: Pick<Assembled['services'], 'keys'>
}

/** Accounts come with their keys, and go with them. */
export function holderWithKeys(
  { engine, services: { keys }, problem }: Held,
  { owned, upkeep, takeovers }: HolderParts,
): ShardHolder {
  const forget = (): void => keys.forget((userId) => !owned.isOwn(userId))
  return {
    own: (shards) =>
      keys.whileComing(async () => {
        await takeovers.measure('load', () => engine.own(shards))
        const own = new Set(shards)
        await takeovers.measure('keys', async () => {
          await keys.restore(problem, (userId) => own.has(shardOf(userId)))
          await keys.openShared(shards, problem)
        })
        takeovers.awaitArmed()
      }),
    async letGo(shards) {
      // Whoever has just come has its shares then; a key that was opened meanwhile is here until all have it.
      await upkeep.share()
      await engine.letGo(shards)
      await upkeep.share()
      forget()
    },
    lose(shards) {
      const lost = engine.lose(shards)
      forget()
      return lost
    },
  }
}
