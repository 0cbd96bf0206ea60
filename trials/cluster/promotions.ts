import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

const SYNC_TIMEOUT_MS = 60_000
const ARM_TIMEOUT_MS = 60_000
/** Trading between two losses of a primary. */
const TRADE_MS = 8_000
/** A person or a tool notices that the primary is gone, and decides. */
const DECIDE_MS = 1_000

/**
 * The primary's machine is lost and its synchronous standby promoted, again and again; the lost one comes back as the next standby.
 * Returns how long it took each time from the loss until every account was armed, ms.
 */
export async function losePrimaries(
  cluster: Cluster,
  times: number,
  print: (line: string) => void,
): Promise<readonly number[]> {
  const armedMs: number[] = []
  await joinStandby(cluster)
  for (let n = 0; n < times; n += 1) {
    await delay(TRADE_MS)
    const lost = Date.now()
    await cluster.primary.kill()
    await delay(DECIDE_MS)
    await cluster.failOver()
    const promoted = Date.now() - lost
    const ms = await armedAfter(cluster, lost)
    armedMs.push(ms)
    print(`primary ${n} lost, standby promoted after ${seconds(promoted)}, all armed after ${seconds(ms)}`)
    await joinStandby(cluster)
  }
  return armedMs
}

/** A new standby copies the primary; from then on a commit waits for both disks. */
async function joinStandby({ primary, standby }: Cluster): Promise<void> {
  await standby.follow(primary)
  await primary.setSynchronous('*')
  const began = performance.now()
  while (!(await primary.hasStandby().catch(() => false))) {
    if (performance.now() - began > SYNC_TIMEOUT_MS) throw new Error('the standby did not become synchronous')
    await delay(100)
  }
}

/** Looked at twice, some seconds apart: accounts may move once more. */
async function armedAfter({ armed }: Cluster, from: number): Promise<number> {
  for (let looks = 0; looks < 2;) {
    await delay(2_000)
    if (armed.sinceThen(from) !== null) looks += 1
    else if (Date.now() - from > ARM_TIMEOUT_MS) throw new Error('not all accounts were armed after a promotion')
    else looks = 0
  }
  return armed.sinceThen(from) ?? ARM_TIMEOUT_MS
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
