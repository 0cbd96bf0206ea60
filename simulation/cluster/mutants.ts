import type { Mutant } from '../mutants.ts'

/** Three promises keep two workers from making two orders for one lot (decisions 018, 040, 041). Each one left out must be found. */
export type ClusterMutant = 'epoch' | 'deadline' | 'wait'

export const isClusterMutant = (name: string): name is ClusterMutant => name in CLUSTER_MUTANTS

export const CLUSTER_MUTANTS: Readonly<Record<ClusterMutant, Mutant>> = {
  epoch: {
    name: 'epoch',
    proves: 'A commit that was decided before another worker took the account is not written after it.',
    shows: `A worker loses the session that shows that it is there, and goes on with its other connections: within its lease it commits
      an order that its successor, who has read the account already, does not know of. Its bytes stay in the kernel and the worker
      dies or stands still. The successor meets the order when its own commit is refused, takes it for one of its own, and waits
      40 s for it instead of 120.`,
    masks: 'The number of the journal row, and that a worker looks each second which shards the tables give to others.',
    edits: [
      {
        file: 'packages/storage/src/store.ts',
        from: '          and account.epoch = excluded.epoch\n',
        to: '',
      },
    ],
  },
  deadline: {
    name: 'deadline',
    proves: 'No order leaves a worker whose lease is over.',
    shows: `A worker stands still between an order's commit and its write for longer than its successor waits for orders of the one
      before, which then makes a sale of the lot anew. The first thing that the worker does when it runs again is to write its own.`,
    masks: `The age of the commit, which counts from when it was heard of, and of a buy from when it was decided; a broker that has closed
      the idle connection meanwhile.`,
    edits: [
      {
        file: 'packages/engine/src/account/last-look.ts',
        from: 'if (!lease.held()) return',
        to: 'if (order.id < 0) return',
      },
    ],
  },
  wait: {
    name: 'wait',
    proves: 'An order of the owner before counts as absent only when no kernel can deliver it any more.',
    shows: `A worker is killed with an order's bytes in its kernel. Its successor does not find the order in the lists and makes it
      anew; then the kernel's next try comes through.`,
    masks: null,
    edits: [
      { file: 'packages/database/src/holder.ts', from: 'const DEAD_MS = 120_000', to: 'const DEAD_MS = 20_000' },
      { file: 'packages/database/src/holder.ts', from: 'const FROZEN_MS = 960_000', to: 'const FROZEN_MS = 20_000' },
    ],
  },
}

/** A seed that finds each of them. */
export const KNOWN_SEEDS: readonly {
  readonly mutant: ClusterMutant
  readonly first: number
  readonly workers: number
}[] = [
  { mutant: 'epoch', first: 204, workers: 2 },
  { mutant: 'deadline', first: 119, workers: 2 },
  { mutant: 'wait', first: 64, workers: 2 },
]
