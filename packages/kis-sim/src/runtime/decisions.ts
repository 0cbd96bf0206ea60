/**
 * Answers to open questions, and how often each of them decided something that a customer could see: an answer to a question
 * that never came up proves nothing about who was tried against it.
 */
export class Decisions<Answers extends object> {
  readonly answers: Answers
  readonly #times = new Map<string, number>()

  constructor(answers: Answers) {
    this.answers = answers
  }

  /** How often a question came up. */
  readonly times = (name: string): number => this.#times.get(name) ?? 0

  /** The answer, where another one would show. */
  decide<Name extends keyof Answers & string>(name: Name): Answers[Name] {
    this.#times.set(name, this.times(name) + 1)
    return this.answers[name]
  }
}
