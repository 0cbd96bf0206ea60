/** Reports the failures of one question that is asked again and again: the first one, and each whose cause is another. */
export class FailureReport {
  readonly #report: (error: unknown) => void
  /** What failed last; null after a success. */
  #cause: string | null = null

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  failed(error: unknown): void {
    const cause = String(error)
    if (cause === this.#cause) return
    this.#cause = cause
    this.#report(error)
  }

  succeeded(): void {
    this.#cause = null
  }
}
