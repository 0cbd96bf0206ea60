import { ProtocolError } from '../errors.ts'

/** Different oddities that are reported; by then the log has said enough. */
const MAX_REPORTED = 1_000

/** Reports what is wrong in a reply that is of use without it: once, although lists are read again every few seconds. */
export class Oddities {
  readonly #onProblem: (error: Error) => void
  readonly #reported = new Set<string>()

  constructor(onProblem: (error: Error) => void) {
    this.#onProblem = onProblem
  }

  report(message: string): void {
    if (this.#reported.has(message) || this.#reported.size >= MAX_REPORTED) return
    this.#reported.add(message)
    this.#onProblem(new ProtocolError(message))
  }
}
