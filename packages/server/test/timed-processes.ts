import type { Bus, WorkerSecrets } from '@digger/cluster'
import { TimedDatabase } from '@digger/cluster/testing'
import { createGateway, type DiggerGateway } from '../src/gateway.ts'
import type { ServerParts } from '../src/server.ts'
import { createWorker, type DiggerWorker } from '../src/worker.ts'

export { UNLIMITED } from '@digger/kis'
export { cheapPasswords } from './server-fixture.ts'
export { settledShards } from './settled-shards.ts'

/** A second among workers in a tenth of ours: accounts load, connect and trade in our time meanwhile. */
const PAUSE_MS = 20

/** Workers and gateways of this process on one database, whose leases and looks go by a time of their own. */
export class TimedProcesses {
  readonly place: TimedDatabase

  private constructor(place: TimedDatabase) {
    this.place = place
  }

  static async open(): Promise<TimedProcesses> {
    return new TimedProcesses(await TimedDatabase.open(PAUSE_MS))
  }

  worker(parts: ServerParts, bus: Bus, secrets: WorkerSecrets): Promise<DiggerWorker> {
    const { time } = this.place
    return time.whileHeld(async () => {
      const clock = time.newClock()
      const worker = await createWorker(parts, bus, secrets, { clock })
      time.follow(worker.member, clock)
      return worker
    })
  }

  async gateway(
    parts: ServerParts,
    bus: Bus,
    { cluster }: Pick<WorkerSecrets, 'cluster'>,
    more: Omit<NonNullable<Parameters<typeof createGateway>[3]>, 'clock'> = {},
  ): Promise<DiggerGateway> {
    const { time } = this.place
    const clock = time.newClock()
    const gateway = await createGateway(parts, bus, cluster, { ...more, clock })
    time.follow({ leaseAgeMs: null }, clock)
    return gateway
  }

  /** What they have is let go within a limit that is meant in our time. */
  async end(gateways: readonly DiggerGateway[], workers: readonly DiggerWorker[]): Promise<void> {
    for (const gateway of gateways) await gateway.close()
    await this.place.time.inOurs(() => Promise.all(workers.map((worker) => worker.close())))
    await this.place.end()
  }
}
