import { setTimeout as delay } from 'node:timers/promises'

/** Polls until the answer is yes; returns how long that took, ms, or null after `ms`. */
export async function timeUntil(ms: number, look: () => Promise<boolean>, everyMs = 250): Promise<number | null> {
  const since = performance.now()
  for (;;) {
    if (await look()) return performance.now() - since
    if (performance.now() - since >= ms) return null
    await delay(everyMs)
  }
}

export const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`
