import { LRUCache } from 'lru-cache'
import { hostOf, isAddress, isLoopback } from '@digger/config'

/** Headers whose verdict is remembered. */
const MAX_HEADERS = 1_000

/**
 * Under which names this server answers. A page of a foreign name that is made to point here (DNS rebinding) counts as
 * our own page to a browser, so only names we know may be used; a bare address cannot be pointed elsewhere.
 */
export class Hosts {
  readonly #names: ReadonlySet<string>
  /** Headers that were allowed: parsing one costs more than looking it up. */
  readonly #allowed = new LRUCache<string, true>({ max: MAX_HEADERS })

  /** `own` is the configured HOST, `origins` are public addresses. */
  constructor(own: string, origins: readonly string[]) {
    this.#names = new Set([own.toLowerCase(), ...origins.map((origin) => new URL(origin).hostname)])
  }

  /** Judges the header as it came; a client that sends none is no browser. */
  allows(header: string | undefined): boolean {
    if (header === undefined || this.#allowed.get(header)) return true
    const host = hostOf(header)
    if (host === null || !(this.#names.has(host) || isLoopback(host) || isAddress(host))) return false
    this.#allowed.set(header, true)
    return true
  }
}
