import { kstDay } from '@digger/core'
import { useSyncExternalStore } from 'react'

/** How often things that age are drawn anew, ms. */
const TICK = 1_000
let now = Date.now()
let timer = 0
const listeners = new Set<() => void>()

function watch(listener: () => void): () => void {
  if (listeners.size === 0) timer = window.setInterval(tick, TICK)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.clearInterval(timer)
  }
}
function tick(): void {
  now = Date.now()
  for (const listener of listeners) listener()
}

/** The time by the second, or a value that follows from it: only a change of that value draws anew. */
export function useNow<T extends string | number | boolean>(of: (now: number) => T): T {
  return useSyncExternalStore(
    watch,
    () => of(now),
    () => of(now),
  )
}
/** KST day, YYYYMMDD; turns over at midnight while the page is open. */
export const useToday = (): string => useNow(kstDay)
