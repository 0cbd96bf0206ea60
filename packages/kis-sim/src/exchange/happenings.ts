import { loadWhole, saveWhole } from '../runtime/state-log.ts'
import type { Exchange } from './exchange.ts'
import type { Happening } from './happening.ts'
import { HappeningSchema } from './happening-schema.ts'
import type { Step } from './step.ts'
import { stepsOf } from './steps.ts'
import { z } from 'zod'

const FILE = 'happenings.json'

/**
 * Carries out what is to happen, each at its moment. Nothing else is stored of it: a market that starts in the middle
 * goes through the list up to now, and stands where it stood.
 */
export class Happenings {
  readonly #exchange: Exchange
  readonly #given: readonly Happening[]
  readonly #stateDir: string | null
  /** Those that came while the market ran. */
  readonly #added: Happening[] = []

  /** Throws when one of the given ones cannot happen here. */
  constructor(exchange: Exchange, given: readonly Happening[], stateDir: string | null) {
    this.#exchange = exchange
    this.#given = given
    this.#stateDir = stateDir
    const saved = stateDir === null ? null : loadWhole(stateDir, FILE)
    if (saved !== null) this.#added.push(...z.array(HappeningSchema).parse(saved))
    for (const happening of this.list) stepsOf(exchange, happening)
  }

  get list(): readonly Happening[] {
    return [...this.#given, ...this.#added]
  }

  start(): void {
    this.#runThrough(this.list, false)
  }

  /** One more, from now on. What it would have done before happens at once. */
  add(happening: Happening): void {
    stepsOf(this.#exchange, happening)
    this.#added.push(happening)
    if (this.#stateDir !== null) saveWhole(this.#stateDir, FILE, this.#added)
    this.#runThrough([happening], true)
  }

  #runThrough(happenings: readonly Happening[], live: boolean): void {
    const { clock } = this.#exchange.options
    const now = clock.now()
    const steps = happenings.flatMap((happening) => stepsOf(this.#exchange, happening))
    for (const step of steps.sort(byTime)) {
      if (step.at <= now) step.run(live)
      else clock.after(step.at - now, () => step.run(true))
    }
  }
}

const byTime = (a: Step, b: Step): number => a.at - b.at
