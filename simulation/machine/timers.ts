import { real } from './real.ts'
import { currentProcess, theWorld, type Planned } from './world.ts'
import type { Process } from './process.ts'

type Callback = (...args: unknown[]) => void

/** As Node's Timeout, on the time of the world. */
class Timeout {
  readonly #run: Callback
  readonly #args: unknown[]
  readonly #ms: number
  readonly #repeats: boolean
  readonly #process: Process | null
  #planned: Planned | null = null
  #refs = true

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
    this.#planned = theWorld()?.after(this.#ms, this.#process, () => this.#fire()) ?? null
  }

  #fire(): void {
    this.#planned = null
    // Node sets an interval anew after it has run; what it throws ends the process anyway.
    if (this.#repeats) this.#plan()
    this.#run(...this.#args)
  }

  close(): this {
    this.#planned?.cancel()
    this.#planned = null
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

const immediates = new Set<unknown>()

/** What stands in for the functions of `node:timers`. */
export const TIMERS = {
  setTimeout: (run: Callback, ms: unknown, ...args: unknown[]): unknown =>
    theWorld() === null && currentProcess() === undefined
      ? Reflect.apply(real.setTimeout, globalThis, [run, ms, ...args])
      : new Timeout(run, ms, args, false),
  setInterval: (run: Callback, ms: unknown, ...args: unknown[]): unknown => new Timeout(run, ms, args, true),
  clearTimeout: clear,
  clearInterval: clear,
  /** Immediates stay Node's own: they belong to the instant, and no further step is made before they have run. */
  setImmediate: (run: Callback, ...args: unknown[]): unknown => {
    const world = theWorld()
    world?.immediate(1)
    const immediate = real.setImmediate(() => {
      immediates.delete(immediate)
      world?.immediate(-1)
      try {
        run(...args)
      } catch (error) {
        if (world === null) throw error
        world.uncaught(error)
      }
    })
    immediates.add(immediate)
    return immediate
  },
  clearImmediate: (immediate: unknown): void => {
    if (immediates.delete(immediate)) theWorld()?.immediate(-1)
    Reflect.apply(real.clearImmediate, globalThis, [immediate])
  },
}

/** `setTimeout` of `node:timers/promises`; product code gives it no signal. */
export function wait(ms: number, value?: unknown): Promise<unknown> {
  return new Promise((resolve) => TIMERS.setTimeout(() => resolve(value), ms))
}
