import type { World } from './machine/world.ts'

/** What happened in a run, a line each, for whoever reads why it failed. */
export class Story {
  readonly lines: string[] = []
  readonly #world: World

  constructor(world: World) {
    this.#world = world
  }

  tell(text: string): void {
    const at = new Date(this.#world.epoch + this.#world.now + 9 * 3_600_000)
    this.lines.push(`${at.toISOString().slice(11, 23)}  ${text}`)
  }
}
