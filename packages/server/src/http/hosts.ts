import { hostOf, isAddress, isLoopback } from '../addresses.ts'

const MOST_REMEMBERED = 1_000

/**
 * Under which names this server answers. A page of a foreign name that is made to point here (DNS rebinding) counts as
 * our own page to a browser, so only names we know may be used; a bare address cannot be pointed elsewhere.
 */
export class Hosts {
  readonly #names: ReadonlySet<string>
  readonly #known = new Set<string>()

  /** `own` is the configured HOST, `origins` are public addresses. */
  constructor(own: string, origins: readonly string[]) {
    this.#names = new Set([own.toLowerCase(), ...origins.map((origin) => new URL(origin).hostname)])
  }

  /** Of the header as it came; without one it is no browser. */
  allows(header: string | undefined): boolean {
    if (header === undefined || this.#known.has(header)) return true
    const host = hostOf(header)
    if (host === null || !(this.#names.has(host) || isLoopback(host) || isAddress(host))) return false
    if (this.#known.size < MOST_REMEMBERED) this.#known.add(header)
    return true
  }
}
