import type { DataKey } from './wraps.ts'

/** Users' keys that are open in this process' memory. */
export class PresentKeys {
  readonly #keys = new Map<string, DataKey>()
  readonly #isOwn: (userId: string) => boolean
  /** Counts what was put in: whoever has seen this number has seen every key. */
  changes = 0

  /** `isOwn`: whose account is with another process has no key here, whoever is late with one. */
  constructor(isOwn: (userId: string) => boolean) {
    this.#isOwn = isOwn
  }

  has(userId: string): boolean {
    return this.#keys.has(userId)
  }

  /** A copy: `forget` wipes what is held, and work that is under way must not go on with zeros. */
  of(userId: string): DataKey | null {
    const key = this.#keys.get(userId)
    return key ? { bytes: Buffer.from(key.bytes), version: key.version } : null
  }

  put(userId: string, { bytes, version }: DataKey): void {
    if (!this.#isOwn(userId)) return
    this.forget(userId)
    this.#keys.set(userId, { bytes: Buffer.from(bytes), version })
    this.changes += 1
  }

  forget(userId: string): void {
    this.#keys.get(userId)?.bytes.fill(0)
    this.#keys.delete(userId)
  }

  users(): string[] {
    return [...this.#keys.keys()]
  }
}
