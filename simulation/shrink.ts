import { partOf, type Part } from './part.ts'
import type { Plan } from './planned.ts'

/** What a run of a part of a plan came to. */
export interface Fate {
  /** The promise it broke; null: none. */
  readonly promise: string | null
  /** When it ended, ms since its start. */
  readonly at: number
}

/** Who runs parts of a plan, and hears of each. */
export interface Trial {
  run(plan: Plan): Promise<Fate>
  /** False: no more runs. */
  mayGoOn(): boolean
  /** After each run; `part` is the smallest so far. */
  tried(fails: boolean, part: Part): void
}

type Lists = 'faults' | 'presses' | 'stocks'
/** After the last fault and press that is kept, ms. */
const REST_MS = 1_000
/** Nobody has saved everything before, ms. */
const SAVED_MS = 90_000

/** Leaves out of a failing plan whatever is not needed for breaking the same promise. */
export class Shrinking {
  readonly #plan: Plan
  readonly #promise: string
  readonly #trial: Trial
  #part: Part
  #failedAt: number
  runs = 0

  constructor(plan: Plan, part: Part, failed: Fate, trial: Trial) {
    this.#plan = plan
    this.#part = part
    this.#promise = failed.promise ?? ''
    this.#failedAt = failed.at
    this.#trial = trial
  }

  /** Time first and last: what ends early is run quickly. When no more runs are allowed: the smallest part so far. */
  async smallest(): Promise<Part> {
    await this.#endEarly()
    await this.#leaveOut('faults', this.#plan.faults.length)
    await this.#leaveOut('presses', this.#plan.presses.length)
    await this.#leaveOut('stocks', this.#plan.accounts.flatMap(({ stocks }) => stocks).length)
    await this.#calmEarly()
    await this.#endEarly()
    return this.#part
  }

  async #leaveOut(name: Lists, count: number): Promise<void> {
    const all = this.#part[name] ?? Array.from({ length: count }, (_, place) => place)
    await smallestOf(all, (places) => this.#stillFails({ ...this.#part, [name]: places }))
  }

  /** The run ends in the instant it fails. */
  async #endEarly(): Promise<void> {
    const endAt = Math.ceil(this.#failedAt)
    if (endAt >= (this.#part.endAt ?? this.#plan.endAt)) return
    await this.#stillFails({ ...this.#part, endAt })
  }

  /** What fails in calm is tried with an earlier calm: as early as it can be, then halfway, and so on. */
  async #calmEarly(): Promise<void> {
    const { calmAt, faults, presses } = partOf(this.#plan, this.#part)
    if (this.#failedAt < calmAt) return
    const last = Math.max(SAVED_MS, ...faults.map(({ at, forMs }) => at + forMs), ...presses.map(({ at }) => at))
    const endAt = this.#part.endAt ?? this.#plan.endAt
    for (let by = calmAt - last - REST_MS; by > REST_MS; by = Math.floor(by / 2))
      if (await this.#stillFails({ ...this.#part, calmAt: calmAt - by, endAt: endAt - by })) return
  }

  async #stillFails(part: Part): Promise<boolean> {
    if (!this.#trial.mayGoOn()) return false
    this.runs += 1
    const { promise, at } = await this.#trial.run(partOf(this.#plan, part))
    const fails = promise === this.#promise
    if (fails) {
      this.#part = part
      this.#failedAt = at
    }
    this.#trial.tried(fails, this.#part)
    return fails
  }
}

/** Leaves out all, then halves, quarters, … and single ones, as long as the rest still fails. */
export async function smallestOf<T>(
  list: readonly T[],
  stillFails: (rest: readonly T[]) => Promise<boolean>,
): Promise<readonly T[]> {
  let kept = list
  for (let size = list.length; size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let at = 0; at < kept.length;) {
      const rest = kept.toSpliced(at, size)
      if (await stillFails(rest)) kept = rest
      else at += size
    }
  return kept
}
