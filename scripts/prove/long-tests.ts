import { CLUSTER, type Judge, SERVER, TRADING } from './judge.ts'

const VITEST = 'vitest run --config vitest.prove.config.ts'
const EMBEDDED = 'EMBEDDED=1 vitest run'

/** Tests that are too long for every change, or about real seconds and processes; the other database, the other size. */
export const LONG_TESTS: readonly Judge[] = [
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
    program: 'WIDE=1 playwright test -c e2e/playwright.config.ts --project=wide --reporter=line',
    options: '',
    minutes: 5,
    covers: ['e2e', 'packages/web', 'packages/contract', ...SERVER],
    needs: ['Chromium'],
  },
]
