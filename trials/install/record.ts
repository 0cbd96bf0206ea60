import { appendFileSync } from 'node:fs'
import { inspect } from 'node:util'

interface Step {
  readonly what: string
  readonly seconds: number
  readonly seen: string
}

/** What was done, how long it took, and what was seen. */
export class Record {
  readonly #steps: Step[] = []
  readonly #log: string

  constructor(log: string) {
    this.#log = log
  }

  heading(title: string): void {
    this.#say(`\n== ${title}`)
  }

  async step(what: string, act: () => Promise<string>): Promise<void> {
    const began = performance.now()
    try {
      const seen = await act()
      const step = { what, seconds: (performance.now() - began) / 1_000, seen: seen.replaceAll('\n', ' · ') }
      this.#steps.push(step)
      this.#say(lineOf(step))
    } catch (error) {
      this.#say(`FAILED ${what}: ${inspect(error)}`)
      throw error
    }
  }

  get seconds(): number {
    return this.#steps.reduce((sum, { seconds }) => sum + seconds, 0)
  }

  #say(line: string): void {
    process.stdout.write(`${line}\n`)
    appendFileSync(this.#log, `${line}\n`)
  }
}

const lineOf = ({ what, seconds, seen }: Step): string =>
  `${seconds.toFixed(1).padStart(7)} s  ${what.padEnd(58)} ${seen}`
