/** What a judge needs of the machine. */
export type Need = 'Chromium' | 'PostgreSQL' | 'NATS' | 'Spin' | 'pg_dump' | 'root' | 'debootstrap' | 'KRX candles'

export interface Judge {
  readonly name: string
  /** In a line. */
  readonly shows: string
  /** The program, as one types it. `npm run prove -- NAME …` starts it with options of one's own. */
  readonly program: string
  /** The form of minutes that is run here; `{seed}` is the seed of the run. Exit code 0: passed; 77: could not look; else failed. */
  readonly options: string
  /** So long it takes on two cores, where nobody has measured it yet. */
  readonly minutes: number
  /** Folders and files whose change makes its last pass old. */
  readonly covers: readonly string[]
  readonly needs?: readonly Need[]
}

const TRADING = [
  'packages/core',
  'packages/kis',
  'packages/prices',
  'packages/engine',
  'packages/storage',
  'packages/database',
]
const SERVER = [...TRADING, 'packages/server', 'packages/http', 'packages/screens', 'packages/identity', 'apps/digger']
const CLUSTER = ['packages/cluster', 'packages/forward', 'packages/jobs', ...TRADING]
const VITEST = 'vitest run --config vitest.prove.config.ts'
const EMBEDDED = 'EMBEDDED=1 vitest run'
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

const hardship = (name: string, fault: string, minutes: number, needs: readonly Need[] = ['PostgreSQL']): Judge => ({
  name: `hardship-${name}`,
  shows: `the server through ${fault}`,
  program: 'node trials/hardships/main.ts',
  options: `--only '${fault}' --seed {seed}`,
  minutes,
  covers: ['trials/hardships', 'trials/crash', ...SERVER],
  needs,
})

export const JUDGES: readonly Judge[] = [
  // Rules
  {
    name: 'simulate',
    shows: 'account-days of trouble: lost replies, doubled notices, restarts',
    program: 'node scripts/simulate.ts',
    options: '--days 2000 --first {seed}',
    minutes: 1.5,
    covers: ['packages/core'],
  },
  {
    name: 'mutate',
    shows: 'guards of the rules taken away one by one: a test notices',
    program: 'node packages/core/test/mutate/main.ts',
    options: '--sample 60 --seed {seed}',
    minutes: 5,
    covers: TRADING,
  },
  {
    name: 'candles',
    shows: 'ticks and limits of the exchange against candles that really happened',
    program: 'node scripts/candles.ts',
    options: '../shared/data/krx-daily-20260102-20260206.csv.gz',
    minutes: 0.2,
    covers: ['packages/core/src/krx'],
    needs: ['KRX candles'],
  },
  {
    name: 'model',
    shows: 'two workers and one lot in every order of events',
    program: 'node scripts/model.ts',
    options: '',
    minutes: 0.5,
    covers: ['simulation/model', 'packages/storage'],
    needs: ['Spin'],
  },
  // The broker
  {
    name: 'altered',
    shows: 'the doctor names each altered reply of the broker',
    program: 'node packages/doctor/test/altered/main.ts',
    options: '--seeds 40 --first {seed}',
    minutes: 0.2,
    covers: ['packages/doctor', 'packages/kis', 'packages/kis-sim'],
  },
  {
    name: 'paper',
    shows: 'what the client relies on, asked of the pretend KIS',
    program: 'node packages/kis/test/paper/main.ts',
    options: '--pretend',
    minutes: 0.1,
    covers: ['packages/kis', 'packages/kis-sim'],
  },
  {
    name: 'foreign',
    shows: 'public KIS clients against the pretend KIS',
    program: 'node trials/foreign/main.ts',
    options: '',
    minutes: 0.5,
    covers: ['packages/kis-sim', 'trials/foreign'],
  },
  {
    name: 'answers',
    shows: 'a day under other answers that the broker may give',
    program: 'node trials/answers/main.ts',
    options: '--some 1 --seed {seed}',
    minutes: 2,
    covers: ['trials/answers', ...SERVER],
  },
  {
    name: 'replay',
    shows: 'daily candles traded through the whole server: book, broker and journal agree',
    program: 'node trials/replay/main.ts',
    options: 'made-up --days 1 --codes 100001,100002 --seed {seed} --settings buy=-0.6,sell=0.7',
    minutes: 1,
    covers: ['trials/replay', ...SERVER],
  },
  {
    name: 'same-trades',
    shows: 'the back-test trades as the whole server does',
    program: 'node trials/backtest/main.ts',
    options: 'made-up --days 1 --codes 100001 --same --seed {seed} --settings buy=-0.6,sell=0.7',
    minutes: 1,
    covers: ['trials/backtest', ...SERVER],
  },
  // The whole server
  {
    name: 'whole',
    shows: 'the whole server under one seed, which fails everywhere',
    program: 'node scripts/simulate.ts --whole',
    options: '--seeds 3 --first {seed}',
    minutes: 3,
    covers: ['simulation', ...SERVER],
  },
  {
    name: 'cluster',
    shows: 'several workers, their database and their broker under one seed',
    program: 'node simulation/cluster/main.ts',
    options: '--seeds 6 --first {seed} --known',
    minutes: 2,
    covers: ['simulation', ...CLUSTER],
  },
  {
    name: 'mutants',
    shows: 'known faults put back: the simulation of the whole server finds them',
    program: 'node simulation/mutate.ts',
    options: '--starts 1 --seeds 20 --unchanged 1',
    minutes: 10,
    covers: ['simulation', ...SERVER],
  },
  {
    name: 'crash',
    shows: 'kill -9 at random moments: nothing lost, nothing twice',
    program: 'node trials/crash/main.ts',
    options: '--kills 3 --terms 1 --seed {seed}',
    minutes: 2.5,
    covers: ['trials/crash', ...SERVER],
  },
  {
    name: 'backup-rounds',
    shows: 'the machine lost, the backup put back, trading goes on',
    program: 'node trials/backup/main.ts',
    options: '--rounds 1 --seed {seed}',
    minutes: 2,
    covers: ['trials/backup', 'packages/backup', ...SERVER],
  },
  {
    name: 'chaos',
    shows: 'workers, PostgreSQL, NATS and the exchange on hosts of their own, struck',
    program: 'node trials/cluster/main.ts',
    options: '--short --faults 3 --accounts 6 --stocks 2 --seed {seed}',
    minutes: 2.5,
    covers: ['trials/cluster', ...CLUSTER],
    needs: ['PostgreSQL', 'NATS', 'root'],
  },
  hardship('cuts', 'cuts of database connections', 2),
  hardship('line', 'a cut line', 2, ['PostgreSQL', 'root']),
  hardship('clock', 'a clock jump', 2),
  hardship('database', 'a database gone for a while', 2),
  hardship('frozen', 'a frozen broker', 2),
  hardship('disk', 'full disk', 2, ['PostgreSQL', 'root']),
  hardship('phantom', 'a phantom order', 2),
  hardship('refusals', 'refusals with an unknown code', 2),
  hardship('lock', 'a stolen lock', 2),
  hardship('stop', 'a stop under load', 3),
  hardship('strangers', 'strangers among the orders', 2),
  hardship('takeover', 'a takeover while asleep', 2),
  hardship('unwritable', 'an unwritable database', 2),
  {
    name: 'stampede',
    shows: 'the market falls 3 % in a minute for many users at once',
    program: 'node trials/stampede/main.ts',
    options: '--users 6 --stocks 10',
    minutes: 3,
    covers: ['trials/stampede', ...SERVER],
  },
  {
    name: 'pressed',
    shows: 'every button of the demo pressed all the time',
    program: 'node trials/pressed/main.ts',
    options: '--minutes 2',
    minutes: 4,
    covers: ['trials/pressed', ...SERVER],
  },
  {
    name: 'fuzz',
    shows: 'nonsense sent to every call: a sentence or a refusal, never a fault',
    program: 'node --expose-gc packages/server/test/fuzz.ts',
    options: '--count 5000 --seed {seed}',
    minutes: 1,
    covers: ['packages/contract', 'packages/http', 'packages/server', 'packages/identity', 'packages/exports'],
  },
  {
    name: 'flood',
    shows: 'strangers ask without end: people are served',
    program: 'node bench/flood/main.ts',
    options: '--minutes 0.3',
    minutes: 3,
    covers: ['bench/flood', 'packages/http', 'packages/server'],
  },
  {
    name: 'kept-data',
    shows: 'what this version leaves in a database is written down',
    program: 'node packages/server/test/kept-data/keep.ts',
    options: 'try "$(mktemp -d)"',
    minutes: 0.5,
    covers: ['packages/database', 'packages/identity', 'packages/server'],
  },
  // Machines
  {
    name: 'install',
    shows: 'the page of the installation, typed into a bare Debian',
    program: 'node trials/install/main.ts',
    options: '',
    minutes: 16,
    covers: ['install', 'trials/install', 'docs/install.md', 'apps/digger'],
    needs: ['debootstrap', 'root'],
  },
  // Files of tests: too long for every change, or about real seconds and processes
  {
    name: 'long-database',
    shows: 'databases: kills in a row, made from nothing, compiled code',
    program: VITEST,
    options: 'packages/database packages/candles packages/storage packages/jobs packages/exports',
    minutes: 2,
    covers: ['packages/database', 'packages/candles', 'packages/storage', 'packages/jobs', 'packages/exports'],
    needs: ['PostgreSQL'],
  },
  {
    name: 'long-server',
    shows: 'the server and its notices in real seconds, and killed',
    program: VITEST,
    options:
      'packages/server packages/engine packages/notifications packages/kis packages/kis-sim packages/doctor packages/identity packages/http packages/core',
    minutes: 3,
    covers: [...SERVER, 'packages/notifications', 'packages/doctor'],
    needs: ['PostgreSQL'],
  },
  {
    name: 'long-cluster',
    shows: 'workers and gateways as processes, over NATS',
    program: VITEST,
    options: 'packages/cluster packages/forward trials/cluster',
    minutes: 3,
    covers: ['trials/cluster', ...CLUSTER],
    needs: ['PostgreSQL', 'NATS'],
  },
  {
    name: 'long-programs',
    shows: 'the operator’s programs, backups and moves as processes',
    program: VITEST,
    options: 'apps scripts packages/backup packages/shadow packages/config trials/backup',
    minutes: 4,
    covers: ['apps', 'scripts', 'install', 'packages/backup', ...SERVER],
    needs: ['PostgreSQL', 'pg_dump'],
  },
  {
    name: 'long-trials',
    shows: 'replays, answers and the simulators, longer',
    program: VITEST,
    options:
      'trials/agreement trials/answers trials/backtest trials/client trials/crash trials/foreign trials/hardships trials/install trials/pressed trials/replay trials/stampede simulation',
    minutes: 5,
    covers: ['trials', 'simulation', ...SERVER],
    needs: ['PostgreSQL', 'Spin'],
  },
  // The other database, the other size
  {
    name: 'embedded-rows',
    shows: 'what is stored and read, on the embedded database, too',
    program: EMBEDDED,
    options:
      'packages/storage packages/identity packages/exports packages/jobs packages/candles packages/notifications packages/shadow',
    minutes: 4,
    covers: [
      'packages/database',
      'packages/storage',
      'packages/identity',
      'packages/exports',
      'packages/jobs',
      'packages/candles',
      'packages/notifications',
      'packages/shadow',
    ],
  },
  {
    name: 'embedded-engine',
    shows: 'the accounts on the embedded database, too',
    program: EMBEDDED,
    options: 'packages/engine apps',
    minutes: 4,
    covers: [...TRADING, 'apps'],
  },
  {
    name: 'embedded-server',
    shows: 'the server on the embedded database, too',
    program: EMBEDDED,
    options: 'packages/server',
    minutes: 6,
    covers: SERVER,
  },
  {
    name: 'wide',
    shows: 'the real product in a browser, on a wide screen',
    program: 'playwright test -c e2e/playwright.config.ts',
    options: '--project=wide',
    minutes: 5,
    covers: ['e2e', 'packages/web', 'packages/contract', ...SERVER],
    needs: ['Chromium'],
  },
  // Figures
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
]
