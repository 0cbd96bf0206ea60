/** Who can hold a lock: a session, or somebody from outside the simulation. */
export interface LockOwner {
  readonly pid: number
  readonly applicationName: string
}

/** Several may have a lock `shared` at the same time, one alone `whole`. */
export type LockMode = 'whole' | 'shared'

interface Held {
  mode: LockMode
  /** How often each has taken it. */
  readonly counts: Map<LockOwner, number>
}

interface Waiting {
  readonly key: string
  readonly mode: LockMode
  readonly owner: LockOwner
  readonly got: () => void
}

/**
 * Named locks of sessions, given in the order of asking: the advisory ones, which the engine cannot have because it sees
 * all sessions as one (their names are 64-bit numbers as text, or two of 32 bits with a comma), and the turn to use the engine.
 */
export class Locks {
  readonly #held = new Map<string, Held>()
  #waiting: Waiting[] = []

  /** Of those who share it, the first. */
  holder(key: string): LockOwner | null {
    return this.#held.get(key)?.counts.keys().next().value ?? null
  }

  /** Of a session that has it already the lock is taken once more, and has to be given back as often. */
  tryTake(key: string, owner: LockOwner, mode: LockMode = 'whole'): boolean {
    if (!this.#isFree(key, owner, mode)) return false
    this.#give(key, owner, mode)
    return true
  }

  /** Calls `got` at once, or when those who asked before have given it back. Returns the way to wait no longer. */
  take(key: string, owner: LockOwner, got: () => void, mode: LockMode = 'whole'): () => void {
    const waiting: Waiting = { key, mode, owner, got }
    if (this.tryTake(key, owner, mode)) got()
    else this.#waiting.push(waiting)
    return () => {
      this.#waiting = this.#waiting.filter((one) => one !== waiting)
      this.#serve(key)
    }
  }

  /** Takes it from whoever has it, before all who wait. */
  seize(key: string, owner: LockOwner): void {
    this.#held.set(key, { mode: 'whole', counts: new Map([[owner, 1]]) })
  }

  /** False when the owner does not have it. */
  giveBack(key: string, owner: LockOwner): boolean {
    const counts = this.#held.get(key)?.counts
    const count = counts?.get(owner)
    if (counts === undefined || count === undefined) return false
    if (count > 1) counts.set(owner, count - 1)
    else this.#leave(key, owner)
    return true
  }

  /** At the end of a session. */
  giveBackAll(owner: LockOwner): void {
    const asked = new Set(this.#waiting.filter((one) => one.owner === owner).map(({ key }) => key))
    this.#waiting = this.#waiting.filter((one) => one.owner !== owner)
    for (const [key, { counts }] of this.#held) if (counts.has(owner)) this.#leave(key, owner)
    for (const key of asked) this.#serve(key)
  }

  /** Every lock with its holders, in the order in which they were taken. */
  all(): { key: string; owner: LockOwner }[] {
    return [...this.#held].flatMap(([key, { counts }]) => [...counts.keys()].map((owner) => ({ key, owner })))
  }

  /** Whoever shares it goes behind those who wait for all of it. */
  #isFree(key: string, owner: LockOwner, mode: LockMode, before: readonly Waiting[] = this.#waiting): boolean {
    const held = this.#held.get(key)
    if (held?.counts.has(owner) === true && (held.counts.size === 1 || mode === 'shared')) return true
    if (mode === 'whole') return held === undefined
    return held?.mode !== 'whole' && !before.some((one) => one.key === key && one.mode === 'whole')
  }

  #give(key: string, owner: LockOwner, mode: LockMode): void {
    const held = this.#held.get(key) ?? { mode, counts: new Map<LockOwner, number>() }
    if (mode === 'whole') held.mode = mode
    held.counts.set(owner, (held.counts.get(owner) ?? 0) + 1)
    this.#held.set(key, held)
  }

  #leave(key: string, owner: LockOwner): void {
    const held = this.#held.get(key)
    held?.counts.delete(owner)
    if (held?.counts.size === 0) this.#held.delete(key)
    this.#serve(key)
  }

  /** Gives it to the first who waits, and to those behind that may share it. */
  #serve(key: string): void {
    for (;;) {
      const next = this.#waiting.find((one) => one.key === key)
      if (next === undefined || !this.#isFree(key, next.owner, next.mode, [])) return
      this.#waiting = this.#waiting.filter((one) => one !== next)
      this.#give(key, next.owner, next.mode)
      next.got()
    }
  }
}
