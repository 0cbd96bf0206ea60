/** How often a check compared something, and how often it had occasion to and let it pass. */
export interface LookCount {
  looked: number
  skipped: number
}

/** Occasions for these come in every run that goes on to its end. */
const IN_EVERY_RUN = [
  'orders on the wire',
  'orders at the exchange',
  'age of orders',
  'lots and limits',
  'list and book',
  'fills and book',
  'words and rows',
  'open questions',
  'pushed prices',
  'pushed cards',
  'queues',
  'the end',
] as const
/** Occasions for these come when chance has people press for them. */
const IN_SOME_RUNS = [
  'refused settings',
  'sales asked for',
  'refused sales',
  'cancels asked for',
  'stopped stocks',
  'orders in the shadow',
  'due in the shadow',
  'answers of the shadow',
] as const

export const CHECK_NAMES = [...IN_EVERY_RUN, ...IN_SOME_RUNS] as const
export type CheckName = (typeof CHECK_NAMES)[number]

/** Counts what checks look at: one that never looks can never fail. */
export class Looks {
  readonly #counts = new Map<CheckName, LookCount>(CHECK_NAMES.map((name) => [name, { looked: 0, skipped: 0 }]))

  /** Returns `isLooked`: false when a fault excuses what would be seen, or when nobody can look at the moment. */
  count(name: CheckName, isLooked: boolean): boolean {
    const count = this.#counts.get(name)
    if (count !== undefined) count[isLooked ? 'looked' : 'skipped'] += 1
    return isLooked
  }

  get counts(): Readonly<Record<string, LookCount>> {
    return Object.fromEntries(this.#counts)
  }

  /** At the end of a whole run: which checks of every run never looked, and how often they could have. */
  get blind(): string[] {
    const names = IN_EVERY_RUN.filter((name) => this.#counts.get(name)?.looked === 0)
    return names.map((name) => `${name}: not once, ${this.#counts.get(name)?.skipped} occasions let pass`)
  }
}
