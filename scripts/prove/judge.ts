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

/** What trades, without its server. */
export const TRADING = [
  'packages/core',
  'packages/kis',
  'packages/prices',
  'packages/engine',
  'packages/storage',
  'packages/database',
]
export const SERVER = [
  ...TRADING,
  'packages/server',
  'packages/http',
  'packages/screens',
  'packages/identity',
  'apps/digger',
]
export const CLUSTER = ['packages/cluster', 'packages/forward', 'packages/jobs', ...TRADING]
