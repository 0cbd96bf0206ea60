import { BUS, type Cluster, DATABASE, EXCHANGE } from './cluster.ts'
import type { FaultKind, PlannedFault } from './plan.ts'

/** What makes a fault end. It may be called while others of the same kind still last. */
export type End = () => Promise<void>

/** Counts who keeps something down: what several faults have ended comes back when the last of them ends. */
export class Downs {
  readonly #counts = new Map<string, number>()

  /** Returns whether it was the last one. */
  private leave(name: string): boolean {
    const left = (this.#counts.get(name) ?? 1) - 1
    this.#counts.set(name, left)
    return left === 0
  }

  async down(name: string, end: () => Promise<void>, begin: () => Promise<void> | void): Promise<End> {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
    await end()
    return async () => {
      if (this.leave(name)) await begin()
    }
  }
}

type Strike = (cluster: Cluster, host: string, downs: Downs) => Promise<End>

const cutFrom =
  (service: string): Strike =>
  async ({ network }, host) => {
    network.cut(host, service)
    return async () => network.mend(host, service)
  }

const killMember: Strike = (cluster, host, downs) =>
  downs.down(
    host,
    () => cluster.killMember(host),
    () => cluster.startMember(host),
  )

const STRIKES: Readonly<Record<FaultKind, Strike>> = {
  kill: killMember,
  killGateway: killMember,
  cutDatabase: cutFrom(DATABASE),
  cutExchange: cutFrom(EXCHANGE),
  cutBus: cutFrom(BUS),
  // Several stand-stills of one process end with the first that does, as a signal does.
  async freeze(cluster, host) {
    const member = cluster.member(host)
    member?.freeze()
    return async () => member?.thaw()
  },
  // Back where it was: another jump.
  async setClock({ clocks }, host) {
    clocks.setWrong(host)
    return async () => clocks.setRight(host)
  },
  killBus: (cluster, _, downs) =>
    downs.down(
      BUS,
      () => cluster.killBus(),
      () => cluster.startBus(),
    ),
  killDatabase: (cluster, _, downs) =>
    downs.down(
      DATABASE,
      () => cluster.primary.kill(),
      () => cluster.primary.start(),
    ),
}

/** The host that a fault strikes; of services their own. */
export function hostOf({ kind, member }: PlannedFault, { workers, gateways }: Cluster): string {
  if (kind === 'killBus') return BUS
  if (kind === 'killDatabase') return DATABASE
  return (kind === 'killGateway' ? gateways : workers)[member] ?? ''
}

export const strike = (fault: PlannedFault, cluster: Cluster, downs: Downs): Promise<End> =>
  STRIKES[fault.kind](cluster, hostOf(fault, cluster), downs)
