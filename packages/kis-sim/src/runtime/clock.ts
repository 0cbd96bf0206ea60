/** Time of the pretend market. All timers of the simulator are here: they fire in time order, ties in order of creation. */
export interface SimClock {
  /** Epoch ms. */
  now(): number
  /** Pretend milliseconds per real one; 1 while time is moved by hand. */
  readonly speed: number
  readonly moving: boolean
  /** Runs `run` after `ms` of pretend time. Returns the function that cancels it. */
  after(ms: number, run: () => void): () => void
  /** On a clock moved by hand: runs what falls due in the next `ms`, in order, with a turn for the sockets in between. */
  advance(ms: number): Promise<void>
  /** Moves to the next timer and runs it alone. False when none waits. */
  step(): Promise<boolean>
  /** From the current instant on, time moves by itself. */
  resume(how?: { speed?: number }): void
  /** Time stops; from now on it is moved by hand. */
  pause(): void
  /** Forgets every timer. */
  stop(): void
}

export type ClockMode = { mode: 'real'; speed?: number; start?: number } | { mode: 'manual'; start: number }

interface Timer {
  readonly at: number
  readonly seq: number
  readonly run: () => void
  cancelled: boolean
}

/** Node's longest timer; a later one is set anew when this has passed. */
const MAX_TIMER_MS = 2 ** 31 - 1

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createClock(mode: ClockMode): SimClock {
  return new HeapClock(mode)
}

class HeapClock implements SimClock {
  speed = 1
  moving = false
  readonly #heap: Timer[] = []
  #seq = 0
  /** While moving: pretend instant `#at` was real instant `#realAt`. While not: `#at` is now. */
  #at: number
  #realAt = 0
  #alarm: NodeJS.Timeout | null = null
  #alarmAt = Infinity

  constructor(mode: ClockMode) {
    this.#at = mode.start ?? Date.now()
    if (mode.mode === 'real') this.resume({ speed: mode.speed ?? 1 })
  }

  now(): number {
    if (!this.moving) return this.#at
    return Math.max(this.#at, Math.floor(this.#at + (performance.now() - this.#realAt) * this.speed))
  }

  after(ms: number, run: () => void): () => void {
    // Whole ms, as every clock of a machine gives: shares of a day do not divide evenly.
    const timer: Timer = { at: Math.ceil(this.now() + Math.max(0, ms)), seq: this.#seq++, run, cancelled: false }
    push(this.#heap, timer)
    if (this.moving && timer.at < this.#alarmAt) this.#setAlarm()
    return () => {
      timer.cancelled = true
    }
  }

  async advance(ms: number): Promise<void> {
    this.#assertByHand()
    const end = this.#at + ms
    for (let next = this.#peek(); next && next.at <= end; next = this.#peek()) {
      this.#at = Math.max(this.#at, next.at)
      pop(this.#heap)
      next.run()
      if ((this.#peek()?.at ?? Infinity) > this.#at) await breathe()
    }
    this.#at = Math.max(this.#at, end)
    await breathe()
  }

  async step(): Promise<boolean> {
    this.#assertByHand()
    const next = this.#peek()
    if (!next) return false
    this.#at = Math.max(this.#at, next.at)
    pop(this.#heap)
    next.run()
    await breathe()
    return true
  }

  resume({ speed = 1 }: { speed?: number } = {}): void {
    if (!(speed > 0)) throw new RangeError(`speed must be above 0, not ${speed}`)
    this.#at = this.now()
    this.#realAt = performance.now()
    this.speed = speed
    this.moving = true
    this.#setAlarm()
  }

  pause(): void {
    this.#at = this.now()
    this.moving = false
    this.speed = 1
    this.#clearAlarm()
  }

  stop(): void {
    this.#heap.length = 0
    this.#clearAlarm()
  }

  #assertByHand(): void {
    if (this.moving) throw new Error('time moves by itself here; it can be moved only on a manual clock')
  }

  #peek(): Timer | undefined {
    while (this.#heap[0]?.cancelled) pop(this.#heap)
    return this.#heap[0]
  }

  #setAlarm(): void {
    this.#clearAlarm()
    const next = this.#peek()
    if (!next || !this.moving) return
    this.#alarmAt = next.at
    const wait = (next.at - this.now()) / this.speed
    this.#alarm = setTimeout(() => this.#runDue(), Math.min(MAX_TIMER_MS, Math.max(0, wait)))
  }

  #clearAlarm(): void {
    if (this.#alarm) clearTimeout(this.#alarm)
    this.#alarm = null
    this.#alarmAt = Infinity
  }

  /** One turn serves what is due now; timers these set for the same instant wait a turn, so sockets are never starved. */
  #runDue(): void {
    const now = this.now()
    const last = this.#seq
    for (let next = this.#peek(); next && next.at <= now && next.seq < last; next = this.#peek()) {
      pop(this.#heap)
      next.run()
      if (!this.moving) return
    }
    this.#setAlarm()
  }
}

const before = (a: Timer, b: Timer): boolean => a.at < b.at || (a.at === b.at && a.seq < b.seq)

function push(heap: Timer[], timer: Timer): void {
  let i = heap.length
  heap.push(timer)
  while (i > 0) {
    const up = (i - 1) >> 1
    const parent = heap[up]
    if (!parent || !before(timer, parent)) break
    heap[i] = parent
    i = up
  }
  heap[i] = timer
}

function pop(heap: Timer[]): void {
  const last = heap.pop()
  if (!last || heap.length === 0) return
  let i = 0
  for (;;) {
    const [left, right] = [heap[2 * i + 1], heap[2 * i + 2]]
    const child = right && left && before(right, left) ? right : left
    if (!child || !before(child, last)) break
    heap[i] = child
    i = child === right ? 2 * i + 2 : 2 * i + 1
  }
  heap[i] = last
}
