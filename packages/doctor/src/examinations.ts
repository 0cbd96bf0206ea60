import { type Progress, examine } from './examine.ts'
import { Examiner, type Subject } from './examined.ts'
import type { Checked } from './finding.ts'
import { LEFT_OUT } from './left-out.ts'

/** The last examination of an account that ended. */
export interface Kept {
  /** Epoch ms. */
  readonly at: number
  readonly checks: readonly Checked[]
}

/** Where results outlive the process. */
export interface ExaminationStore {
  load(userId: string): Promise<Kept | null>
  save(userId: string, kept: Kept): Promise<void>
}

export interface AccountExamination {
  /** Null: none runs here. */
  readonly running: Progress | null
  readonly kept: Kept | null
}

/** The broker's limits are for trading: one examination of an account a minute. */
const PAUSE_MS = 60_000

/** Examinations over the accounts' own connections, in the process that has the accounts; each account once a minute. */
export class Examinations {
  readonly #store: ExaminationStore
  readonly #failed: (userId: string, error: unknown) => void
  readonly #running = new Map<string, Progress>()
  readonly #startedAt = new Map<string, number>()

  /** `failed`: of one that could not be written. */
  constructor(store: ExaminationStore, failed: (userId: string, error: unknown) => void) {
    this.#store = store
    this.#failed = failed
  }

  async of(userId: string): Promise<AccountExamination> {
    return { running: this.#running.get(userId) ?? null, kept: await this.#store.load(userId) }
  }

  /** How long a start has to wait, ms; 0: not. One that runs is joined. */
  waitMs(userId: string, now: number): number {
    if (this.#running.has(userId)) return 0
    return Math.max(0, (this.#startedAt.get(userId) ?? Number.NEGATIVE_INFINITY) + PAUSE_MS - now)
  }

  /** Begins one unless one runs; resolves when it has begun. */
  start(userId: string, subject: Subject): void {
    if (this.#running.has(userId)) return
    this.#startedAt.set(userId, subject.wall())
    this.#running.set(userId, { done: 0, total: 1, running: null })
    this.#run(userId, subject)
      .catch((error: unknown) => this.#failed(userId, error))
      .finally(() => this.#running.delete(userId))
  }

  async #run(userId: string, subject: Subject): Promise<void> {
    const { checks } = await examine(new Examiner(subject), (progress) => void this.#running.set(userId, progress))
    await this.#store.save(userId, { at: subject.wall(), checks: [...checks, ...LEFT_OUT] })
  }
}
