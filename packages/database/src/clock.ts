/** Time as the server sees it. The pretend broker's clock has the same shape, so tests and simulations can move time. */
export interface Clock {
  /** Epoch ms. */
  now(): number
  /** Runs once after `ms`. Returns the way to call it off. */
  after(ms: number, run: () => void): () => void
}

// setTimeout counts in 32 bits: a longer wait would fire at once.
const MAX_TIMER_MS = 2_147_483_647

export const realClock: Clock = {
  now: () => Date.now(),
  after(ms, run) {
    const wait = Math.min(Math.max(ms, 0), MAX_TIMER_MS)
    let stop: () => void
    const timer = setTimeout(() => {
      if (ms > wait) stop = realClock.after(ms - wait, run)
      else run()
    }, wait)
    stop = () => clearTimeout(timer)
    return () => stop()
  },
}

/** Goes on evenly, whoever sets the machine's clock; its `now` counts from the start of the process. */
export const evenClock: Clock = { now: () => performance.now(), after: (ms, run) => realClock.after(ms, run) }

export const wait = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve))

/** Repeats `run` every `ms` until called off; the next wait starts when `run` has returned. */
export function every(clock: Clock, ms: number, run: () => void): () => void {
  let stop = clock.after(ms, function again() {
    run()
    stop = clock.after(ms, again)
  })
  return () => stop()
}
