import { setTimeout as delay } from 'node:timers/promises'
import { setDraining } from '@digger/cluster'
import { openBeside } from '@digger/database'
import type { Cluster } from './cluster.ts'
import { rankOf, spread } from './results.ts'
import { waitUntilArmed } from './wait-until-armed.ts'

export interface Rolled {
  /** Of each account, each time it moved, ms. */
  readonly pauseMs: readonly number[]
  readonly problems: readonly string[]
}

/** What the design promises of an account that moves in order, ms. */
const MAX_PAUSE_P99_MS = 5_000
const MOVE_TIMEOUT_MS = 120_000
const LOOK_MS = 100
/** Shards go in several transactions: nothing moves any more when none has for so long. */
const QUIET_S = 3

/**
 * Replaces one worker after the other under load, as docs/several-machines.md has it: by turns first emptied as by an administrator on
 * the page of the servers, and only ended, as by `systemctl restart`. The next is due when the new one has its share and all may trade.
 */
export async function rollWorkers(cluster: Cluster, times: number, print: (line: string) => void): Promise<Rolled> {
  const problems: string[] = []
  const began = Date.now()
  for (let n = 0; n < times; n += 1) {
    const host = cluster.workers[n % cluster.workers.length] ?? ''
    const isEmptied = n % 2 === 0
    const from = Date.now()
    if (isEmptied) await empty(cluster, host)
    if (!(await cluster.stopMember(host))) problems.push(`${host} did not end by itself`)
    cluster.startMember(host)
    await takenBack(cluster, host)
    await waitUntilArmed(cluster, () => undefined)
    const pauses = cluster.reports.pauses.between(from, Date.now())
    print(`replaced ${n}, ${host}${isEmptied ? ' emptied before' : ''}: pauses of an account: ${spread(pauses)}`)
  }
  const pauseMs = cluster.reports.pauses.between(began, Date.now())
  return { pauseMs, problems: [...problems, ...tooLong(pauseMs, cluster.size.accounts)] }
}

/** Demands of all pauses of a run, each of one account, ms. */
export function tooLong(pauseMs: readonly number[], accounts: number): string[] {
  const p99 = rankOf(pauseMs, 0.99)
  if (p99 > MAX_PAUSE_P99_MS) return [`pauses of an account: p99 ${p99} ms, at most ${MAX_PAUSE_P99_MS} are allowed`]
  // Each account is somewhere, and leaves it at least once when every worker is replaced.
  return pauseMs.length < accounts ? [`only ${pauseMs.length} pauses of ${accounts} accounts: this proves nothing`] : []
}

/** By the function behind the button of the page, and by the tables until the worker has nothing any more. */
async function empty(cluster: Cluster, host: string): Promise<void> {
  const id = await named(cluster, host)
  const { db, close } = await openBeside(cluster.primary.url, { writing: true })
  try {
    const outcome = await setDraining(db, id, true)
    if (outcome !== 'done') throw new Error(`${host} could not be emptied: ${outcome}`)
  } finally {
    await close()
  }
  await until(`${host} is empty`, async () => (await placesOf(cluster, id)).own === 0)
  await waitUntilArmed(cluster, () => undefined)
}

/** The new worker has its share, and nothing moves any more. */
async function takenBack(cluster: Cluster, host: string): Promise<void> {
  await until(`${host} has its share`, async () => {
    // One that the others found dead has begun again under another name.
    const { own, unowned, quietS } = await placesOf(cluster, cluster.reports.workerId(host) ?? '')
    return own > 0 && unowned === 0 && quietS > QUIET_S
  })
}

async function named(cluster: Cluster, host: string): Promise<string> {
  await until(`${host} is there`, async () => cluster.reports.workerId(host) !== null)
  return cluster.reports.workerId(host) ?? ''
}

interface Places {
  /** Shards of the worker, and of nobody. */
  readonly own: number
  readonly unowned: number
  /** Since any shard was taken. */
  readonly quietS: number
}

async function placesOf({ primary }: Cluster, id: string): Promise<Places> {
  const rows = await primary.ask<Places>(`
    select (count(*) filter (where worker = '${id}'))::int as own, (count(*) filter (where worker is null))::int as unowned,
      (select extract(epoch from now() - max(at)) from shard_move)::float8 as "quietS" from shard`)
  return rows[0] ?? { own: 0, unowned: 0, quietS: 0 }
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const began = performance.now()
  while (!(await holds())) {
    if (performance.now() - began > MOVE_TIMEOUT_MS) throw new Error(`not within ${MOVE_TIMEOUT_MS / 1_000} s: ${what}`)
    await delay(LOOK_MS)
  }
}
