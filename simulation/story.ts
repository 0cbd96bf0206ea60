import type { Simulation } from './machine/simulation.ts'

/** What happened in a run, a line each, for whoever reads why it failed. */
export class Story {
  readonly lines: string[] = []
  readonly #simulation: Simulation

  constructor(simulation: Simulation) {
    this.#simulation = simulation
  }

  add(text: string): void {
    const at = new Date(this.#simulation.epoch + this.#simulation.now + 9 * 3_600_000)
    this.lines.push(`${at.toISOString().slice(11, 23)}  ${text}`)
  }
}
