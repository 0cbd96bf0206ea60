import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import type { PlannedFault } from './plan.ts'
import { RECOVERIES, strikeAlone } from './recovery.ts'
import type { RunResult } from './results.ts'
import { Downs, type End, hostOf, strike } from './strike.ts'
import { waitUntilArmed } from './wait-until-armed.ts'

export interface Struck {
  readonly armedMs: RunResult['armedMs']
  readonly problems: readonly string[]
}

type Print = (line: string) => void

/** Each fault at its moment, whatever lasts still. */
export async function strikeOverlapping(
  cluster: Cluster,
  plan: readonly PlannedFault[],
  print: Print,
): Promise<Struck> {
  const began = performance.now()
  const downs = new Downs()
  const ends: Promise<void>[] = []
  let lasting = 0
  for (const [n, fault] of plan.entries()) {
    await delay(Math.max(0, fault.at - (performance.now() - began)))
    lasting += 1
    print(`${line(n, fault, cluster)}, ${lasting} at a time, ${cluster.armed.now} armed`)
    const end = await strike(fault, cluster, downs)
    const over = async (): Promise<void> => {
      await delay(fault.forMs)
      await end()
      lasting -= 1
    }
    ends.push(over())
  }
  await Promise.all(ends)
  cluster.network.mendAll()
  return { armedMs: { 'all faults of a run': [await waitUntilArmed(cluster, print)] }, problems: [] }
}

/** Each fault when all has recovered from the one before: tells how long that takes. */
export async function strikeOneByOne(cluster: Cluster, plan: readonly PlannedFault[], print: Print): Promise<Struck> {
  const armedMs: Record<string, number[]> = {}
  const problems: string[] = []
  const downs = new Downs()
  for (const [n, fault] of plan.entries()) {
    const { limitMs } = RECOVERIES[fault.kind]
    const begin = (): Promise<End> => strike(fault, cluster, downs)
    const { ms, backMs } = await strikeAlone(cluster, fault.kind, begin)
    ;(armedMs[fault.kind] ??= []).push(ms)
    ;(armedMs[`the end of ${fault.kind}`] ??= []).push(backMs)
    print(`${line(n, fault, cluster)}: armed after ${seconds(ms)}, after its end ${seconds(backMs)}`)
    if (ms > limitMs) problems.push(`fault ${n}, ${fault.kind}: armed after ${ms} ms, at most ${limitMs} are allowed`)
  }
  return { armedMs, problems }
}

const line = (n: number, fault: PlannedFault, cluster: Cluster): string =>
  `fault ${n}: ${fault.kind} of ${hostOf(fault, cluster)} for ${seconds(fault.forMs)}`

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
