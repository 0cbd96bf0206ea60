import { type Judge, TRADING } from './judge.ts'

const BENCH = ['bench', ...TRADING]

/** One cell of the bench: it fails where what it measures does not come out as it has to. Goals are for a quiet machine (`--goals`). */
const bench = (cell: string, shows: string, minutes: number, more: Partial<Judge> = {}): Judge => ({
  name: `bench-${cell}`,
  shows,
  program: 'node bench/main.ts',
  options: `${cell} --rounds 1`,
  minutes,
  covers: BENCH,
  ...more,
})

/** Figures as ratios of one run, and what the browser costs. */
export const FIGURES: readonly Judge[] = [
  bench('decode', 'ticks decoded', 0.3),
  bench('backtest', 'years of bars in a moment', 1),
  bench('step', 'decisions of one account', 0.3),
  bench('board', 'prices to many accounts', 0.5),
  bench('list', 'a list over HTTP', 1),
  bench('push', 'live changes to browsers', 1),
  bench('reconnect', 'browsers that come back', 1),
  bench('order', 'from a tick to an order on the wire', 1),
  bench('intents', 'orders written down', 4, { needs: ['PostgreSQL'] }),
  bench('accounts', 'many accounts in one process', 2, { needs: ['PostgreSQL'] }),
  bench('page', 'a page in a browser', 2, { needs: ['Chromium'] }),
  bench('jobs', 'work for all users', 3, { needs: ['PostgreSQL'] }),
  bench('cluster', 'calls through a gateway', 2, { needs: ['PostgreSQL', 'NATS'] }),
  bench('cluster-push', 'live changes through a gateway', 2, { needs: ['PostgreSQL', 'NATS'] }),
  bench('cluster-scale', 'more workers, more accounts', 3, { needs: ['PostgreSQL', 'NATS'] }),
  bench('overload', 'more calls than can be answered', 2),
  {
    name: 'perf-web',
    shows: 'what a first visit weighs and costs',
    program: 'node e2e/perf.ts',
    options: '',
    minutes: 2,
    covers: ['packages/web', 'packages/contract', 'e2e'],
    needs: ['Chromium'],
  },
  {
    name: 'perf-inp',
    shows: 'how long a press takes to be drawn',
    program: 'node e2e/inp.ts',
    options: '',
    minutes: 3,
    covers: ['packages/web', 'packages/contract', 'e2e'],
    needs: ['Chromium'],
  },
  {
    name: 'perf-whatif',
    shows: 'sliders of the past, frame by frame',
    program: 'node e2e/whatif.ts',
    options: '',
    minutes: 2,
    covers: ['packages/web', 'packages/contract', 'e2e'],
    needs: ['Chromium'],
  },
  {
    name: 'perf-login',
    shows: 'the way from the log-in to the list',
    program: 'node e2e/arrive.ts',
    options: '',
    minutes: 2,
    covers: ['packages/web', 'packages/contract', 'e2e'],
    needs: ['Chromium'],
  },
]
