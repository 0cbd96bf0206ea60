import type { Process } from './process.ts'
import { TIMERS } from './timers.ts'
import { theSimulation } from './current.ts'

/** Tells when nothing has come or gone for some time. One timer for many packets: it looks when the last one was. */
export class Silence {
  readonly #process: Process
  readonly #report: () => void
  #allowedMs = 0
  #since = 0
  #timer: unknown = null

  constructor(process: Process, report: () => void) {
    this.#process = process
    this.#report = report
  }

  /** From now on; 0: for ever. */
  allow(ms: number): void {
    TIMERS.clearTimeout(this.#timer)
    this.#timer = null
    this.#allowedMs = ms
    this.interrupt()
  }

  interrupt(): void {
    if (this.#allowedMs <= 0) return
    this.#since = this.#now
    this.#timer ??= this.#wait(this.#allowedMs)
  }

  /** By the process' even clock, ms. */
  get #now(): number {
    return this.#process.evenNow(theSimulation()?.now ?? 0)
  }

  #wait(ms: number): unknown {
    return theSimulation()?.enter(this.#process, () => TIMERS.setTimeout(() => this.#look(), Math.ceil(ms)))
  }

  #look(): void {
    this.#timer = null
    const leftMs = this.#since + this.#allowedMs - this.#now
    if (leftMs > 0) this.#timer = this.#wait(leftMs)
    else this.#report()
  }
}
