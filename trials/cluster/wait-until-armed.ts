import { setTimeout as delay } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'

const ARM_TIMEOUT_MS = 180_000

/** Returns how long it took, ms. Throws when that is too long. */
export async function waitUntilArmed({ armed, size }: Cluster, print: (line: string) => void): Promise<number> {
  const began = performance.now()
  while (!armed.all) {
    if (performance.now() - began > ARM_TIMEOUT_MS)
      throw new Error(`${armed.now} of ${size.accounts} accounts armed after ${ARM_TIMEOUT_MS / 1_000} s`)
    await delay(50)
  }
  const ms = performance.now() - began
  print(`all ${size.accounts} accounts armed after ${(ms / 1_000).toFixed(1)} s`)
  return Math.round(ms)
}
