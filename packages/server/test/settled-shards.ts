import { setTimeout as delay } from 'node:timers/promises'
import { shardsOf } from '@digger/cluster/testing'
import type { DiggerWorker } from '../src/worker.ts'

/** Waits until each worker of this process has what it keeps from now on, and `isReady`. */
export async function settledShards(workers: readonly DiggerWorker[], isReady = (): boolean => true): Promise<void> {
  const members = workers.map(({ member }) => member)
  const hasItsOwn = ({ member, database: { owned } }: DiggerWorker): boolean => {
    const its = shardsOf(member, members)
    return owned.all().length === its.length && its.every((shard) => owned.has(shard))
  }
  while (!workers.every(hasItsOwn) || !isReady()) await delay(20)
}
