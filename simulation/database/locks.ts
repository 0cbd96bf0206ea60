/** Who can hold a lock: a session, or somebody from outside the simulation. */
export interface LockOwner {
  readonly pid: number
  readonly applicationName: string
}

interface Held {
  readonly owner: LockOwner
  count: number
}

interface Waiting {
  readonly key: string
  readonly owner: LockOwner
  readonly got: () => void
}

/**
 * Named locks of sessions, given in the order of asking: the advisory ones, which the engine cannot have because it sees
 * all sessions as one (their names are 64-bit numbers as text), and the turn to use the engine.
 */
export class Locks {
  readonly #held = new Map<string, Held>()
  #waiting: Waiting[] = []

  holder(key: string): LockOwner | null {
    return this.#held.get(key)?.owner ?? null
  }

  /** Of a session that has it already the lock is taken once more, and has to be given back as often. */
  tryTake(key: string, owner: LockOwner): boolean {
    const held = this.#held.get(key)
    if (held !== undefined && held.owner !== owner) return false
    if (held === undefined) this.#held.set(key, { owner, count: 1 })
    else held.count += 1
    return true
  }

  /** Calls `got` at once, or when those who asked before have given it back. Returns the way to wait no longer. */
  take(key: string, owner: LockOwner, got: () => void): () => void {
    const waiting: Waiting = { key, owner, got }
    if (this.tryTake(key, owner)) got()
    else this.#waiting.push(waiting)
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
    }
  }

  /** Takes it from whoever has it, before all who wait. */
  seize(key: string, owner: LockOwner): void {
    this.#held.set(key, { owner, count: 1 })
  }

  /** False when the owner does not have it. */
  giveBack(key: string, owner: LockOwner): boolean {
    const held = this.#held.get(key)
    if (held?.owner !== owner) return false
    held.count -= 1
    if (held.count === 0) this.#free(key)
    return true
  }

  /** At the end of a session. */
  giveBackAll(owner: LockOwner): void {
    this.#waiting = this.#waiting.filter((one) => one.owner !== owner)
    for (const [key, held] of this.#held) if (held.owner === owner) this.#free(key)
  }

  /** Every lock with its holder, in the order in which they were taken. */
  all(): { key: string; owner: LockOwner }[] {
    return [...this.#held].map(([key, { owner }]) => ({ key, owner }))
  }

  #free(key: string): void {
    this.#held.delete(key)
    const next = this.#waiting.find((one) => one.key === key)
    if (next === undefined) return
    this.#waiting = this.#waiting.filter((one) => one !== next)
    this.#held.set(key, { owner: next.owner, count: 1 })
    next.got()
  }
}
