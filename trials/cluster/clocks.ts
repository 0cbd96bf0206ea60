const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KST_MS = 9 * HOUR_MS

/** Longer than any session or token lasts here, and so far that the day in Korea is the next one: by it every order that rests has expired. */
const intoTomorrow = (): number => DAY_MS - ((Date.now() + KST_MS) % DAY_MS) + HOUR_MS

/** The clocks of hosts. Whatever begins on a host begins with its clock. */
export class Clocks {
  readonly #off = new Map<string, number>()
  readonly #changed: (host: string, offMs: number) => void

  /** `changed`: for the process that runs there now. */
  constructor(changed: (host: string, offMs: number) => void) {
    this.#changed = changed
  }

  /** How far it is ahead, ms. */
  offOf(host: string): number {
    return this.#off.get(host) ?? 0
  }

  setWrong(host: string): void {
    this.#set(host, intoTomorrow())
  }

  setRight(host: string): void {
    this.#set(host, 0)
  }

  #set(host: string, offMs: number): void {
    this.#off.set(host, offMs)
    this.#changed(host, offMs)
  }
}
