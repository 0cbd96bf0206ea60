/** A broken promise, by name. */
export class Violation extends Error {
  override readonly name = 'Violation'
  readonly promise: string

  constructor(promise: string, text: string) {
    super(`${promise}: ${text}`)
    this.promise = promise
  }
}
