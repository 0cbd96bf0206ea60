import os from 'node:os'
import perfHooks from 'node:perf_hooks'
import timers from 'node:timers'
import timersPromises from 'node:timers/promises'
import { bootMs, clockOf, evenNow } from '../clock.ts'
import { TIMERS, wait } from '../timers.ts'
import { refuse, replace } from './replace.ts'

replace(globalThis, { ...TIMERS, Date: clockOf(Date) })
replace(timers, TIMERS)
replace(timersPromises, {
  setTimeout: wait,
  setImmediate: (value: unknown) => new Promise((resolve) => TIMERS.setImmediate(resolve, value)),
})
refuse(timersPromises, 'timers/promises', ['setInterval'])
refuse(timersPromises.scheduler, 'scheduler', ['wait', 'yield'])
replace(performance, { now: evenNow })

const nanoseconds = (): bigint => BigInt(Math.round(evenNow() * 1e6))
const hrtime = (since: readonly [number, number] = [0, 0]): [number, number] => {
  const passed = nanoseconds() - BigInt(since[0]) * 1_000_000_000n - BigInt(since[1])
  return [Number(passed / 1_000_000_000n), Number(passed % 1_000_000_000n)]
}
replace(process, { uptime: () => evenNow() / 1_000, hrtime: Object.assign(hrtime, { bigint: nanoseconds }) })
replace(os, { uptime: () => bootMs() / 1_000 })

/** Node makes its timer inside, where nothing can take its place. */
refuse(AbortSignal, 'AbortSignal', ['timeout'])

/** These measure the real process, and would keep everything that they report to. */
const inert = { enable: () => true, disable: () => true, reset: () => undefined, percentile: () => 0 }
replace(perfHooks, {
  monitorEventLoopDelay: () => ({ ...inert, min: 0, max: 0, mean: 0, stddev: 0, exceeds: 0, count: 0 }),
  PerformanceObserver: class {
    static readonly supportedEntryTypes = []
    observe(): void {
      // Nothing is measured.
    }
    disconnect(): void {
      // Nothing was measured.
    }
  },
})
