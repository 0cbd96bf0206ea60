import { type Progress, examine } from './examine.ts'
import { Examiner, type Subject } from './examined.ts'
import { type Checked, note } from './finding.ts'
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

const NOT_WRITTEN: Checked = {
  key: 'unwritten',
  name: '결과 저장',
  findings: [
    note(
      '점검은 끝났지만 결과를 저장하지 못했습니다. 서버가 다시 시작하면 사라지니 필요하면 복사해 두고, 잠시 뒤 다시 점검해 주세요.',
    ),
  ],
}

/** The broker's limits are for trading: one examination of an account a minute. */
const PAUSE_MS = 60_000

/** Examinations over the accounts' own connections, in the process that has the accounts; each account once a minute. */
export class Examinations {
  readonly #store: ExaminationStore
  readonly #failed: (userId: string, error: unknown) => void
  readonly #running = new Map<string, Progress>()
  readonly #startedAt = new Map<string, number>()
  /** Results that could not be written: shown as long as this process lasts, or until a later one is written. */
  readonly #unwritten = new Map<string, Kept>()

  /** `failed`: of one that could not be written. */
  constructor(store: ExaminationStore, failed: (userId: string, error: unknown) => void) {
    this.#store = store
    this.#failed = failed
  }

  async of(userId: string): Promise<AccountExamination> {
    const written = await this.#store.load(userId)
    const unwritten = this.#unwritten.get(userId) ?? null
    const isLater = unwritten !== null && unwritten.at >= (written?.at ?? 0)
    return { running: this.#running.get(userId) ?? null, kept: isLater ? unwritten : written }
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
    const kept: Kept = { at: subject.wall(), checks: [...checks, ...LEFT_OUT] }
    try {
      await this.#store.save(userId, kept)
      this.#unwritten.delete(userId)
    } catch (error) {
      this.#unwritten.set(userId, { ...kept, checks: [NOT_WRITTEN, ...kept.checks] })
      throw error
    }
  }
}
