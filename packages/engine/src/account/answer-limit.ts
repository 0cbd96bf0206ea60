import { OutcomeUnknown, Refused } from '@digger/contract'
import type { Clock } from '@digger/database'

/**
 * Whoever asks is answered within this, ms. It is longer than any single wait of the account (thirty seconds), whose own answer
 * says more, and shorter than what the proxies in between allow (a minute is usual).
 */
export const ANSWER_MS = 35_000

const NOT_BEGUN = '증권사의 응답이 늦어 시간 안에 읽지 못했고, 아무것도 바꾸지 않았습니다. 잠시 뒤 다시 해 주세요.'
const NOT_ENDED = '아직 처리가 끝나지 않아 결과를 확인하고 있습니다. 화면을 새로 고쳐 되었는지 확인해 주세요.'

/**
 * What the broker is asked for a person, who is answered in time; the reading itself goes on. Throws what the reading throws,
 * and BROKER_UNREACHABLE.
 */
export async function inTime<T>(clock: Clock, reading: Promise<T>): Promise<T> {
  const limit = new AnswerLimit(clock)
  try {
    return await limit.preparation(reading)
  } finally {
    limit.end()
  }
}

/** The time within which what a person asked for is answered, whatever becomes of it. */
export class AnswerLimit {
  readonly #timeUp = Promise.withResolvers<void>()
  readonly #stopTimer: () => void
  #isOver = false

  constructor(clock: Clock, ms = ANSWER_MS) {
    this.#stopTimer = clock.after(ms, () => {
      this.#isOver = true
      this.#timeUp.resolve()
    })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** What is found out before anything is done: when time is up, nothing may be done with it any more. */
  preparation<T>(work: Promise<T>): Promise<T> {
    return this.#orElse(work, new Refused('BROKER_UNREACHABLE', NOT_BEGUN))
  }

  /** What goes on, also when time is up. */
  outcome<T>(work: Promise<T>): Promise<T> {
    return this.#orElse(work, new OutcomeUnknown(NOT_ENDED))
  }

  end(): void {
    this.#stopTimer()
  }

  #orElse<T>(work: Promise<T>, error: Refused): Promise<T> {
    const late = this.#timeUp.promise.then(() => Promise.reject<T>(error))
    return Promise.race([work, late])
  }
}
