/** Something that must never be, or was not in time. */
export class Violation extends Error {
  override readonly name = 'Violation'
  /** Which promise it breaks: the same one in every run that breaks it. */
  readonly promise: string

  constructor(promise: string, what: string) {
    super(`${promise}: ${what}`)
    this.promise = promise
  }
}
