import { current, type RunningSimulation } from './current.ts'
import { Dice } from './dice.ts'
import { Heap, type Due } from './heap.ts'
import { Network } from './network.ts'
import { OutsideWork } from './outside.ts'
import { Process, type ProcessEnd } from './process.ts'
import { real } from './real.ts'
import type { Planned } from './timeline.ts'

/** One thing that is going to happen to a process, or to the simulation itself. */
interface Scheduled extends Due {
  readonly process: Process | null
  run: (() => void) | null
  /** For how long it was set, if it is a timer of a program. */
  readonly timerMs: number | null
}

const FIRST_PID = 4_000
/** Steps handed to the event loop at a time: between two of them Node runs every promise and tick that the first one left. */
const STEP_BATCH = 32
const TURNS_AT_END = 10

/**
 * Time, processes and lines of one run. One thing happens at a time: a timer fires, some bytes arrive, somebody acts; then
 * everything that follows from it at once is run to its end, then the next thing. Nothing else moves time.
 */
export class Simulation implements RunningSimulation {
  readonly seed: number
  /** Epoch ms at the start of the run. */
  readonly epoch: number
  readonly network: Network
  readonly processes: Process[] = []
  /** Nothing happens before it is done. */
  readonly outside = new OutsideWork()
  /** Called after each step; what it throws ends the run. */
  afterStep: () => void = () => undefined
  /** An error that nobody caught has ended the process; without this the run ends. */
  onCrash: (process: Process, error: unknown) => void = (_, error) => this.fail(error)
  steps = 0
  #now = 0
  #order = 0
  #pids = FIRST_PID
  #immediates = 0
  #ended = false
  #failure: unknown = null
  #stepOf: Process | null = null
  readonly #due = new Heap<Scheduled>()
  readonly #held = new Map<Process, Scheduled[]>()
  readonly #resumes: Dice
  #closers: (() => void)[] = []

  constructor(seed: number, epoch: number) {
    this.seed = seed
    this.epoch = epoch
    this.network = new Network(this)
    this.#resumes = this.dice('resumes')
  }

  /** Ms since the start of the run. */
  get now(): number {
    return this.#now
  }

  get ended(): boolean {
    return this.#ended
  }

  dice(name: string): Dice {
    return new Dice(this.seed, name)
  }

  start(name: string): Process {
    const process = new Process(name, (this.#pids += 1), this.seed, this.#now)
    this.processes.push(process)
    return process
  }

  /** Runs at `at`, in the process' own context; while it stands still, it waits; once it is over, never. */
  at(at: number, process: Process | null, run: () => void, timerMs: number | null = null): Planned {
    const item: Scheduled = { at: Math.max(at, this.#now), order: (this.#order += 1), process, run, timerMs }
    if (!this.#ended && process?.alive !== false) this.#due.push(item)
    return { cancel: () => void (item.run = null) }
  }

  after(ms: number, process: Process | null, run: () => void): Planned {
    return this.at(this.#now + ms, process, run)
  }

  /** A timer that a program has set. */
  timer(ms: number, process: Process | null, run: () => void): Planned {
    return this.at(this.#now + ms, process, run, ms)
  }

  /** Calls into a process from outside, now. */
  enter<T>(process: Process, run: () => T): T {
    return current.run(process, run)
  }

  /** The same as a step of the process: what it throws is its own end. */
  as(process: Process, run: () => void): void {
    if (!process.alive) return
    try {
      current.run(process, run)
    } catch (error) {
      this.#died(process, error)
    }
  }

  /** SIGSTOP: its clocks go on, and so does its kernel. */
  pause(process: Process): void {
    if (!process.alive) return
    process.stops += 1
    process.pausedSince ??= this.#now
  }

  /** What fell due meanwhile happens now. */
  resume(process: Process): void {
    process.stops = Math.max(0, process.stops - 1)
    if (process.stops > 0) return
    process.pausedSince = null
    const held = this.#held.get(process) ?? []
    this.#held.delete(process)
    const timers = inNodesOrder(held.filter(({ timerMs }) => timerMs !== null))
    const others = held.filter(({ timerMs }) => timerMs === null)
    // Node runs timers, then takes what has arrived; where in its round it was stopped decides which comes first.
    for (const item of this.#resumes.chance(0.75) ? [...timers, ...others] : [...others, ...timers]) {
      item.at = this.#now
      item.order = this.#order += 1
      this.#due.push(item)
    }
  }

  /** The machine under a process is suspended: its even clock stands, and nothing answers for it. */
  sleep(process: Process): void {
    if (!process.alive || process.asleepSince !== null) return
    this.pause(process)
    process.asleepSince = this.#now
  }

  wake(process: Process): void {
    if (process.asleepSince === null) return
    process.sleptMs += this.#now - process.asleepSince
    process.asleepSince = null
    this.resume(process)
  }

  /** Ends a process between two of its steps, as kill -9 does; the kernel closes what it had open. */
  end(process: Process, end: ProcessEnd): void {
    if (!process.alive) return
    process.end = end
    process.pausedSince = null
    process.asleepSince = null
    this.#held.delete(process)
    this.network.closeAll(process)
    process.onEnd(end)
  }

  fail(error: unknown): void {
    this.#failure ??= error
  }

  immediate(change: 1 | -1): void {
    this.#immediates += change
  }

  /** To be done when the run is over. */
  onClose(run: () => void): void {
    this.#closers.push(run)
  }

  get #isIdle(): boolean {
    return this.#immediates === 0 && this.outside.isDone
  }

  /** Lets things happen until the given instant, or until `done`. Rejects with what a check or a process threw. */
  run(until: number, done: () => boolean = () => false): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let over = false
    let left = 0
    const batch = (): void => {
      left = STEP_BATCH
      for (let count = 0; count < STEP_BATCH; count++) real.setImmediate(one)
    }
    const one = (): void => {
      left -= 1
      if (!over && this.#isIdle) over = !this.#step(until, done)
      if (left > 0) return
      if (!over) return batch()
      if (this.#failure === null) resolve()
      else reject(this.#failure)
    }
    batch()
    return promise
  }

  /** False when the run has come to its end. */
  #step(until: number, done: () => boolean): boolean {
    if (this.steps > 0) this.check(this.afterStep)
    if (this.#failure !== null || done()) return false
    const item = this.#next(until)
    if (item === null) {
      this.#now = Math.max(this.#now, until)
      return false
    }
    this.steps += 1
    this.#now = item.at
    this.#stepOf = item.process
    const { process, run } = item
    item.run = null
    try {
      if (process === null) run?.()
      else if (run !== null) current.run(process, run)
    } catch (error) {
      this.uncaught(error)
    }
    return true
  }

  /** What a check throws ends the run. */
  check(run: () => void): void {
    try {
      run()
    } catch (error) {
      this.fail(error)
    }
  }

  #next(until: number): Scheduled | null {
    for (;;) {
      const item = this.#due.first
      if (item === undefined || item.at > until) return null
      this.#due.pop()
      const { process, run } = item
      if (run === null || process?.alive === false) continue
      if (process === null || process.pausedSince === null) return item
      const held = this.#held.get(process)
      if (held === undefined) this.#held.set(process, [item])
      else held.push(item)
    }
  }

  /** An error that nobody caught: in the process whose code runs, or in whatever process the step under way is of. */
  uncaught(error: unknown): void {
    const process = current.getStore() ?? this.#stepOf
    // Code of a run that is over still comes to its end.
    if (process !== null && !this.processes.includes(process)) return
    if (process === null || this.#ended) this.fail(error)
    else this.#died(process, error)
  }

  #died(process: Process, error: unknown): void {
    if (!process.alive) return
    this.end(process, { how: 'died', why: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    this.onCrash(process, error)
  }

  /** Nothing of this run happens any more, also not when code of it goes on in a later one. */
  async close(): Promise<void> {
    this.#ended = true
    for (const close of this.#closers.splice(0)) close()
    for (const process of this.processes) {
      process.onEnd = () => undefined
      process.end ??= { how: 'left', why: 'the run is over' }
    }
    this.network.forgetAll()
    this.#due.clear()
    this.#held.clear()
    // What the end of its connections still makes its programs do is done before the next run begins.
    for (let turn = 0; turn < TURNS_AT_END; turn++) await new Promise((resolve) => real.setImmediate(resolve))
  }
}

/** Node keeps a list for each length of timers: from the list with the earliest it runs all that are due, then the next. */
function inNodesOrder(timers: readonly Scheduled[]): Scheduled[] {
  const lists = Map.groupBy(
    timers.toSorted((one, other) => one.at - other.at || one.order - other.order),
    ({ timerMs }) => timerMs,
  )
  return [...lists.values()].flat()
}

export { setSimulation } from './current.ts'
