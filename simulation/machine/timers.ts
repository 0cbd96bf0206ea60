import { promisify } from 'node:util'
import { real } from './real.ts'
import { currentProcess, theSimulation, type RunningSimulation } from './current.ts'
import type { Planned } from './timeline.ts'
import type { Process } from './process.ts'

/** Instants have fractions; what is so near has come. */
const MOMENT_MS = 0.001

type Callback = (...args: unknown[]) => void

/** As Node's Timeout, on the time of the simulation. */
class Timeout {
  readonly #run: Callback
  readonly #args: unknown[]
  readonly #ms: number
  readonly #repeats: boolean
  readonly #process: Process | null
  #planned: Planned | null = null
  #refs = true
  #dueEven = 0
  #running = false

  constructor(run: Callback, ms: unknown, args: unknown[], repeats: boolean) {
    this.#run = run
    this.#args = args
    // As Node does: whole milliseconds, one at least, and one for anything it cannot count.
    const whole = Math.trunc(Number(ms))
    this.#ms = whole >= 1 && whole <= 2_147_483_647 ? whole : 1
    this.#repeats = repeats
    this.#process = currentProcess() ?? null
    this.#plan()
  }

  #plan(): void {
    const simulation = theSimulation()
    if (simulation === null) return
    this.#dueEven = this.#evenNow(simulation) + this.#ms
    this.#planned = simulation.timer(this.#ms, this.#process, () => this.#fire(simulation))
  }

  #evenNow(simulation: RunningSimulation): number {
    return this.#process?.evenNow(simulation.now) ?? simulation.now
  }

  #fire(simulation: RunningSimulation): void {
    this.#planned = null
    // Timers go by an even clock: while the machine sleeps, they do not come nearer.
    const left = this.#dueEven - this.#evenNow(simulation)
    if (left > MOMENT_MS) {
      this.#planned = simulation.timer(left, this.#process, () => this.#fire(simulation))
      return
    }
    this.#running = true
    try {
      this.#run(...this.#args)
    } finally {
      // Node sets an interval anew after it has run: what it missed meanwhile it does not make up for.
      if (this.#repeats && this.#running) this.#plan()
      this.#running = false
    }
  }

  close(): this {
    this.#planned?.cancel()
    this.#planned = null
    this.#running = false
    return this
  }

  refresh(): this {
    this.close()
    this.#plan()
    return this
  }

  ref(): this {
    this.#refs = true
    return this
  }

  unref(): this {
    this.#refs = false
    return this
  }

  hasRef(): boolean {
    return this.#refs
  }

  [Symbol.dispose](): void {
    this.close()
  }
}

const clear = (timer: unknown): void => {
  if (timer instanceof Timeout) timer.close()
  else if (timer !== undefined && timer !== null) Reflect.apply(real.clearTimeout, globalThis, [timer])
}

/** Immediates that have not run, and the simulation each belongs to. */
const immediates = new Map<unknown, RunningSimulation>()

/** What stands in for the functions of `node:timers`. */
export const TIMERS = {
  setTimeout: (run: Callback, ms: unknown, ...args: unknown[]): unknown =>
    theSimulation() === null && currentProcess() === undefined
      ? Reflect.apply(real.setTimeout, globalThis, [run, ms, ...args])
      : new Timeout(run, ms, args, false),
  setInterval: (run: Callback, ms: unknown, ...args: unknown[]): unknown =>
    theSimulation() === null
      ? Reflect.apply(real.setInterval, globalThis, [run, ms, ...args])
      : new Timeout(run, ms, args, true),
  clearTimeout: clear,
  clearInterval: clear,
  /** Immediates stay Node's own: they belong to the instant, and no further step is made before they have run. */
  setImmediate: (run: Callback, ...args: unknown[]): unknown => {
    const simulation = theSimulation()
    if (simulation === null) return real.setImmediate(run, ...args)
    const process = currentProcess()
    simulation.immediate(1)
    const immediate = real.setImmediate(() => {
      immediates.delete(immediate)
      simulation.immediate(-1)
      if (process?.alive === false) return
      try {
        run(...args)
      } catch (error) {
        simulation.uncaught(error)
      }
    })
    immediates.set(immediate, simulation)
    return immediate
  },
  clearImmediate: (immediate: unknown): void => {
    immediates.get(immediate)?.immediate(-1)
    immediates.delete(immediate)
    Reflect.apply(real.clearImmediate, globalThis, [immediate])
  },
}

/** `setTimeout` of `node:timers/promises`. */
export function wait(ms: number, value?: unknown, options: { signal?: AbortSignal } = {}): Promise<unknown> {
  const { signal } = options
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clear(timer)
      reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }))
    }
    const timer = TIMERS.setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve(value)
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

Object.defineProperty(TIMERS.setTimeout, promisify.custom, { value: wait })
