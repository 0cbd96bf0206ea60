import { addDays, kstDay, kstInstant } from '@digger/core'

/** So far ahead, ms, that the day in Korea is the next one, an hour old: by it every order that rests has expired. */
export function intoTomorrow(): number {
  const now = Date.now()
  return kstInstant(addDays(kstDay(now), 1), '010000') - now
}

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
