import { setTimeout as delay } from 'node:timers/promises'
import { generator } from '@digger/app'
import { Cluster, type ClusterSize } from './cluster.ts'
import { judge, settle, type Verdict } from './judge.ts'
import { findLeaks } from './leaks/leaks.ts'
import { swingingOf } from './market-message.ts'
import { withoutBus, withoutDatabase } from './outages.ts'
import { People } from './people.ts'
import { type FaultKind, planOf } from './plan.ts'
import { losePrimaries } from './promotions.ts'
import type { RunResult } from './results.ts'
import { rollWorkers } from './rolling.ts'
import { type Struck, strikeOneByOne, strikeOverlapping } from './strike-all.ts'
import { waitUntilArmed } from './wait-until-armed.ts'

export interface ChaosRun {
  readonly seed: number
  /** Of promotions: how often the primary is lost; rolling: how many workers are replaced. */
  readonly faults: number
  readonly size: ClusterSize
  readonly mode: Mode
  /** Short faults, and orders that never reached the exchange need no verdict at the end. */
  readonly short: boolean
  readonly kinds?: readonly FaultKind[]
  /** A new folder, for data and logs. */
  readonly folder: string
  /** See ClusterOptions. */
  readonly prepared?: string | undefined
  readonly print: (line: string) => void
}

export type Mode = 'overlapping' | 'alone' | 'outages' | 'promotions' | 'rolling'

interface Work extends Struck {
  readonly pauseMs?: readonly number[]
}

const WORK: Readonly<Record<Mode, (cluster: Cluster, run: ChaosRun) => Promise<Work>>> = {
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
  async rolling(cluster, { faults, print }) {
    return { armedMs: {}, ...(await rollWorkers(cluster, faults, print)) }
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
  rolling: 240_000,
}

/** More of them order less often each: the pretend exchange has one core, and whoever cannot reach it in time is not armed. */
const MAX_QUICK_STOCKS = 100

export const nameOf = ({ mode, short }: Pick<ChaosRun, 'mode' | 'short'>): string => `${mode}${short ? ' short' : ''}`

/** Faults upon a cluster that trades, and then what the exchange says of it, and what the bus and the database give away. */
export async function runChaos(run: ChaosRun): Promise<RunResult> {
  const { seed, size, print, short, mode, faults } = run
  const swingMs = SWING_MS[mode] * Math.max(1, (size.accounts * swingingOf(size)) / MAX_QUICK_STOCKS)
  const options = { standby: mode === 'promotions', swingMs, prepared: run.prepared }
  const cluster = await Cluster.open(run.folder, size, options)
  const people = new People(cluster, generator(seed))
  try {
    await waitUntilArmed(cluster, print)
    cluster.prices({ kind: 'swing' })
    // Where what is due is counted nobody changes settings.
    if (mode !== 'outages') await people.begin()
    await delay(short ? SHORT_WARM_UP_MS : WARM_UP_MS)
    const { armedMs, pauseMs = [], problems } = await WORK[mode](cluster, run)
    await waitUntilArmed(cluster, print)
    await people.end()
    const { problems: found, ...counts } = await verdictOn(cluster, run)
    const { problems: leaks, ...searched } = await findLeaks(cluster, people.cookies)
    print(`searched ${searched.messages} messages of the bus and ${searched.rows} rows of the database for secrets`)
    const of = { seed, mode: nameOf(run), accounts: size.accounts, stocks: size.stocks, faults }
    const done = { ...of, ...counts, ...searched, armedMs, pauseMs: [...pauseMs], answers: people.answers.counts }
    return { ...done, problems: [...problems, ...found, ...leaks, ...problemsOf(people, run, counts)] }
  } finally {
    await people.end()
    await cluster.close()
  }
}

/** Of book and exchange, when prices stand still and the members have ended. */
async function verdictOn(cluster: Cluster, { short, print }: ChaosRun): Promise<Verdict> {
  const leniency = { mayPend: short }
  cluster.prices({ kind: 'still' })
  const quietMs = await settle(cluster, short ? SHORT_SETTLE_TIMEOUT_MS : SETTLE_TIMEOUT_MS, leniency)
  print(`looked for ${(quietMs / 1_000).toFixed(0)} s until book and exchange agreed`)
  const late = await cluster.stopMembers()
  const verdict = await judge(cluster, leniency)
  return { ...verdict, problems: [...late.map((host) => `${host} did not end by itself`), ...verdict.problems] }
}

function problemsOf({ acts, answers }: People, { mode, print }: ChaosRun, { fills }: Pick<Verdict, 'fills'>): string[] {
  const { confirmed, refused, unanswered } = acts
  print(`people: ${confirmed} confirmed, ${refused} refused, ${unanswered} unanswered`)
  const isEnough = fills > 0 && (mode === 'outages' || confirmed > 0)
  return [
    // Elsewhere gateways and the database are struck, too: then anybody may be without an answer.
    ...(mode === 'rolling' ? answers.problems : []),
    ...(isEnough ? [] : ['too little was done: this proves nothing']),
  ]
}

const faultsOf = (run: ChaosRun) => planOf({ ...run, workers: run.size.workers, gateways: run.size.gateways })
