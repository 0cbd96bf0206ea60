import { setTimeout as delay } from 'node:timers/promises'
import { SHARDS } from '@digger/database'
import type { DiggerWorker } from '../src/worker.ts'

/** Looks in a row that find the same. */
const SAME = 6

/** Waits until the workers of this process have moved their shards, and `isReady`. */
export async function settledShards(workers: readonly DiggerWorker[], isReady = (): boolean => true): Promise<void> {
  let before = ''
  for (let same = 0; same < SAME;) {
    const shards = workers.map(({ database }) => database.owned.all())
    const now = JSON.stringify(shards)
    same = shards.flat().length === SHARDS && isReady() && now === before ? same + 1 : 0
    before = now
    await delay(300)
  }
}
