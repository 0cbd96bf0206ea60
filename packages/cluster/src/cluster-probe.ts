import { ownVersion } from '@digger/database'
import type { Bus } from './bus/bus.ts'
import type { ClusterWatch, WorkerSeen } from './cluster-watch.ts'
import type { ClusterCounters } from './counters.ts'

/** A takeover is through by then, ms: longer without an owner, nobody is there who could take the accounts. */
const UNOWNED_MAX_MS = 15_000

export interface ClusterTrouble {
  readonly code: 'cluster'
  readonly accounts: null
  readonly text: string
}

export interface ClusterStatus {
  readonly role: 'worker' | 'gateway'
  readonly version: string
  /** Its name among the workers; null for a gateway, and while it begins anew. */
  readonly worker: string | null
  /** Ms since its lease was last renewed; null for a gateway. */
  readonly leaseAgeMs: number | null
  readonly shards: { readonly owned: number; readonly unowned: number; readonly unownedMs: number }
  readonly bus: {
    readonly connected: boolean
    readonly p50Ms: number
    readonly p99Ms: number
    readonly timeouts: number
  }
  readonly fenced: number
  readonly takeover: ClusterCounters['takeover']
  readonly workers: readonly WorkerSeen[]
}

export interface ProbeParts {
  readonly role: 'worker' | 'gateway'
  readonly watch: Pick<ClusterWatch, 'workers' | 'unowned'>
  readonly counters: ClusterCounters
  readonly bus: Pick<Bus, 'connected'>
  /** Of a worker that has begun. */
  readonly member?: () => {
    readonly id: string | null
    readonly leaseAgeMs: number | null
    readonly shards: number
  } | null
}

/** How this process and the others are doing. */
export class ClusterProbe {
  readonly counters: ClusterCounters
  readonly #parts: ProbeParts
  readonly #version = ownVersion()

  constructor(parts: ProbeParts) {
    this.#parts = parts
    this.counters = parts.counters
  }

  status(): ClusterStatus {
    const { role, watch, bus } = this.#parts
    const member = this.#parts.member?.()
    const { requests, fenced, takeover } = this.counters
    const unowned = watch.unowned
    return {
      role,
      version: this.#version,
      worker: member?.id ?? null,
      leaseAgeMs: member?.leaseAgeMs ?? null,
      shards: { owned: member?.shards ?? 0, unowned: unowned.shards, unownedMs: Math.round(unowned.ms) },
      bus: {
        connected: bus.connected,
        p50Ms: requests.durations.quantile(0.5),
        p99Ms: requests.durations.quantile(0.99),
        timeouts: requests.timeouts,
      },
      fenced,
      takeover: { ...takeover },
      workers: watch.workers,
    }
  }

  /** A worker goes on trading without the bus; a gateway is of no use. */
  get troubles(): readonly ClusterTrouble[] {
    const { role, watch, bus } = this.#parts
    const { shards, ms } = watch.unowned
    return [
      ...(ms > UNOWNED_MAX_MS
        ? [trouble(`계좌 묶음 ${shards}개를 맡은 서버가 ${Math.round(ms / 1_000)}초째 없습니다. 워커를 켜 주세요.`)]
        : []),
      ...(role === 'gateway' && !bus.connected
        ? [trouble('NATS에 연결되지 않아 계좌를 맡은 서버에 닿지 못합니다.')]
        : []),
    ]
  }
}

const trouble = (text: string): ClusterTrouble => ({ code: 'cluster', accounts: null, text })
