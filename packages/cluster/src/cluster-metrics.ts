import type { ClusterProbe, ClusterStatus } from './cluster-probe.ts'
import { CALL_OUTCOMES, type ClusterCounters, TAKEOVER_STEPS } from './counters.ts'

type Value = readonly [labels: Readonly<Record<string, string>>, value: number]

export interface ClusterMetric {
  readonly name: string
  readonly help: string
  readonly labels: readonly string[]
  /** Of one moment. */
  readonly read: (probe: ClusterProbe) => readonly Value[]
}

const plain = (
  name: string,
  help: string,
  read: (status: ClusterStatus, counters: ClusterCounters) => number,
): ClusterMetric => ({
  name,
  help,
  labels: [],
  read: (probe) => [[{}, read(probe.status(), probe.counters)]],
})

const labelled = (
  name: string,
  help: string,
  label: string,
  read: (counters: ClusterCounters) => readonly (readonly [string, number])[],
): ClusterMetric => ({
  name,
  help,
  labels: [label],
  read: ({ counters }) => read(counters).map(([value, count]) => [{ [label]: value }, count]),
})

/** What Prometheus is told of one process of several. */
export const CLUSTER_METRICS: readonly ClusterMetric[] = [
  plain('shards_owned', 'Shards that this process has.', ({ shards }) => shards.owned),
  plain('shards_unowned', 'Shards without a living owner, of all.', ({ shards }) => shards.unowned),
  plain('shards_unowned_ms', 'How long the oldest of them has had none.', ({ shards }) => shards.unownedMs),
  plain('lease_age_ms', 'Since the lease of this worker was renewed.', ({ leaseAgeMs }) => leaseAgeMs ?? 0),
  plain('fenced', 'Commits refused because another process had the account, so far.', ({ fenced }) => fenced),
  plain('bus_connected', '1 while NATS can be reached.', ({ bus }) => Number(bus.connected)),
  plain('bus_request_p50_ms', 'Of the last thousand requests.', ({ bus }) => bus.p50Ms),
  plain('bus_request_p99_ms', 'Of the last thousand requests.', ({ bus }) => bus.p99Ms),
  plain('live_gaps', 'Times the line to NATS was cut and came back.', (_status, { live }) => live.gaps),
  plain(
    'live_resyncs',
    'Times the browsers of a user had to read everything anew.',
    (_status, { live }) => live.resyncs,
  ),
  {
    name: 'cluster_trouble',
    help: 'What is wrong with the servers as a whole.',
    labels: [],
    read: ({ troubles }) => [[{}, troubles.length]],
  },
  labelled('shards_moved', 'Shards taken, let go and lost, so far.', 'how', ({ shards }) => Object.entries(shards)),
  labelled('workers_buried', 'Workers that this one found dead, so far.', 'why', ({ buried }) =>
    Object.entries(buried),
  ),
  labelled('takeover_seconds', 'Steps of the last takeover.', 'step', ({ takeover }) =>
    TAKEOVER_STEPS.map((step) => [step, takeover[step]]),
  ),
  labelled('bus_requests', 'Requests over the bus, so far.', 'outcome', ({ requests }) => [
    ['done', requests.done],
    ['nobody', requests.nobody],
    ['timeout', requests.timeouts],
  ]),
  labelled('forwarded_calls', 'Calls sent on to workers, so far.', 'outcome', ({ calls }) =>
    CALL_OUTCOMES.map((outcome) => [outcome, calls[outcome]]),
  ),
  {
    name: 'worker_shards',
    help: 'Shards of each worker that is there, with its version.',
    labels: ['worker', 'version', 'draining'],
    read: (probe) =>
      probe
        .status()
        .workers.filter(({ buried }) => !buried)
        .map(({ id, version, draining, shards }) => [{ worker: id, version, draining: String(draining) }, shards]),
  },
]
