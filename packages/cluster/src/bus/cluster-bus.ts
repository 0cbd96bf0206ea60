import type { Clock } from '@digger/database'
import type { ClusterSecret } from '../cluster-secret.ts'
import type { ClusterCounters } from '../counters.ts'
import { type ClusterLog, droppedTo } from '../forged.ts'
import type { Bus } from './bus.ts'
import { ObservedBus } from './observed-bus.ts'
import { SealedBus } from './sealed-bus.ts'

export interface ClusterBusParts {
  readonly secret: ClusterSecret
  /** Of the database: the same for all. */
  readonly wall: Pick<Clock, 'now'>
  readonly counters: ClusterCounters
  readonly log: ClusterLog
}

/** The line to the other processes, sealed and counted. */
export const clusterBus = (open: Bus, { secret, wall, counters, log }: ClusterBusParts): Bus =>
  new ObservedBus(new SealedBus(open, secret, { dropped: droppedTo(log), now: () => wall.now() }), counters)
