import { setTimeout as delay } from 'node:timers/promises'
import { generator } from '@digger/app'
import { Cluster, type ClusterSize, waitUntilArmed } from './cluster.ts'
import { judge, settle } from './judge.ts'
import { withoutBus, withoutDatabase } from './outages.ts'
import { People } from './people.ts'
import { type FaultKind, planOf } from './plan.ts'
import { losePrimaries } from './promotions.ts'
import type { RunResult } from './results.ts'
import { type Struck, strikeOneByOne, strikeOverlapping } from './strike-all.ts'

export interface ChaosRun {
  readonly seed: number
  /** Of promotions: how often the primary is lost. */
  readonly faults: number
  readonly size: ClusterSize
  readonly mode: Mode
  /** Short faults, and orders that never reached the exchange need no verdict at the end. */
  readonly short: boolean
  readonly kinds?: readonly FaultKind[]
  /** A new folder, for data and logs. */
  readonly folder: string
  readonly print: (line: string) => void
}

export type Mode = 'overlapping' | 'alone' | 'outages' | 'promotions'

const WORK: Readonly<Record<Mode, (cluster: Cluster, run: ChaosRun) => Promise<Struck>>> = {
  overlapping: (cluster, run) => strikeOverlapping(cluster, faultsOf(run), run.print),
  alone: (cluster, run) => strikeOneByOne(cluster, faultsOf(run), run.print),
  async outages(cluster, { print }) {
    const missed = await withoutBus(cluster, print)
    const { problems, resumedMs } = await withoutDatabase(cluster, print)
    return { armedMs: { 'the database down for 30 s': [resumedMs] }, problems: [...missed, ...problems] }
  },
  async promotions(cluster, { faults, print }) {
    return { armedMs: { promotion: [...(await losePrimaries(cluster, faults, print))] }, problems: [] }
  },
}

/** Long enough for what never reached the exchange to count as absent: 120 s after a takeover, and its listing lag. */
const SETTLE_TIMEOUT_MS = 240_000
const SHORT_SETTLE_TIMEOUT_MS = 45_000
const WARM_UP_MS = 10_000
const SHORT_WARM_UP_MS = 5_000

/**
 * A comparison of book and broker reads the day's orders, a hundred a page and a page a second: where times are taken, accounts order as
 * little as people's do.
 */
const SWING_MS: Readonly<Record<Mode, number>> = {
  overlapping: 24_000,
  alone: 240_000,
  outages: 24_000,
  promotions: 60_000,
}

/** More of them order less often each: the pretend exchange has one core, and whoever cannot reach it in time is not armed. */
const MAX_QUICK_ACCOUNTS = 100

export const nameOf = ({ mode, short }: Pick<ChaosRun, 'mode' | 'short'>): string => `${mode}${short ? ' short' : ''}`

/** Faults upon a cluster that trades, and then what the exchange says of it. */
export async function runChaos(run: ChaosRun): Promise<RunResult> {
  const { size, print, short, mode } = run
  const swingMs = SWING_MS[mode] * Math.max(1, size.accounts / MAX_QUICK_ACCOUNTS)
  const cluster = await Cluster.open(run.folder, size, { standby: mode === 'promotions', swingMs })
  const people = new People(cluster, generator(run.seed))
  const leniency = { mayPend: short }
  try {
    await waitUntilArmed(cluster, print)
    cluster.prices({ kind: 'swing' })
    // Where what is due is counted nobody changes settings.
    if (mode !== 'outages') await people.begin()
    await delay(short ? SHORT_WARM_UP_MS : WARM_UP_MS)
    const { armedMs, problems } = await WORK[mode](cluster, run)
    await waitUntilArmed(cluster, print)
    await people.end()
    cluster.prices({ kind: 'still' })
    const quietMs = await settle(cluster, short ? SHORT_SETTLE_TIMEOUT_MS : SETTLE_TIMEOUT_MS, leniency)
    print(`looked for ${(quietMs / 1_000).toFixed(0)} s until book and exchange agreed`)
    const late = await cluster.stopMembers()
    const { problems: found, ...counts } = await judge(cluster, leniency)
    const { confirmed, refused, unanswered } = people.acts
    print(`people: ${confirmed} confirmed, ${refused} refused, ${unanswered} unanswered`)
    const proof =
      counts.fills > 0 && (mode === 'outages' || confirmed > 0) ? [] : ['too little was done: this proves nothing']
    const ends = late.map((host) => `${host} did not end by itself`)
    const { seed, faults } = run
    return {
      seed,
      mode: nameOf(run),
      accounts: size.accounts,
      stocks: size.stocks,
      faults,
      ...counts,
      armedMs,
      problems: [...problems, ...ends, ...found, ...proof],
    }
  } finally {
    await people.end()
    await cluster.close()
  }
}

const faultsOf = (run: ChaosRun) => planOf({ ...run, workers: run.size.workers, gateways: run.size.gateways })
