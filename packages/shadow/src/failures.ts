/** A rehearsal that ran so long before it ended by an error was well, ms. */
const WELL_MS = 5 * 60_000
/** Whatever ended it, it is read again by then, ms: after an outage nobody's rehearsal stands still for longer. */
const MAX_WAIT_MS = 60_000
/** Before the first try, ms; doubles each time. */
const FIRST_WAIT_MS = 2_000

interface Failed {
  readonly epoch: number
  readonly inARow: number
  /** Epoch ms. */
  readonly notBefore: number
  /** What was reported already. */
  readonly causes: ReadonlySet<string>
}

/** How a rehearsal ended by an error. */
export interface Failure {
  /** Of the owner of the real account. */
  readonly epoch: number
  readonly error: unknown
  /** When its reading began, and when it ended, epoch ms. */
  readonly openedAt: number
  readonly now: number
}

/**
 * Rehearsals that ended by an error. One may fail for good, as where a row is missing: to read it whole again each second would
 * take the machine from what trades, and fill the log.
 */
export class Failures {
  readonly #failed = new Map<string, Failed>()

  mayOpen(userId: string, epoch: number, now: number): boolean {
    const failed = this.#failed.get(userId)
    return failed?.epoch !== epoch || now >= failed.notBefore
  }

  /** Whether its cause is to be reported: each is once, until it was well again. */
  add(userId: string, { epoch, error, openedAt, now }: Failure): boolean {
    const before = this.#failed.get(userId)
    const goesOn = before?.epoch === epoch && now - openedAt < WELL_MS
    const inARow = goesOn ? before.inARow + 1 : 1
    const causes = new Set(goesOn ? before.causes : [])
    const cause = String(error)
    const isNews = !causes.has(cause)
    causes.add(cause)
    const notBefore = now + Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (inARow - 1))
    this.#failed.set(userId, { epoch, inARow, notBefore, causes })
    return isNews
  }

  /** Whether the last try ended by an error. */
  has(userId: string): boolean {
    return this.#failed.has(userId)
  }

  /** The account is another process' by now, or gone. */
  forget(userId: string): void {
    this.#failed.delete(userId)
  }
}
