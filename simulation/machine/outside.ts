import { real } from './real.ts'

const turn = (): Promise<void> => new Promise((resolve) => void real.setImmediate(() => resolve()))

/**
 * Work that Node does on other threads. Time stands until it is done; one at a time, with a turn of its own for what
 * follows from each, so that it makes no difference how long any of them takes.
 */
export class OutsideWork {
  #pending = 0
  #last: Promise<unknown> = Promise.resolve()

  get isDone(): boolean {
    return this.#pending === 0
  }

  do<T>(work: () => Promise<T>): Promise<T> {
    this.#pending += 1
    const done = this.#last.then(work)
    this.#last = done.then(turn, turn).then(() => void (this.#pending -= 1))
    return done
  }
}
