import type { Asked, Person } from '../people/person.ts'
import { SHADOW } from '../people/presses.ts'
import type { Stage } from '../stage.ts'
import { Violation } from '../violation.ts'
import type { CommittedRows } from './rows.ts'

/** What is ordered by hand in the shadow is answered with a refusal that begins so, for an ok could be mistaken. */
const REHEARSED = '연습: 보내지 않았습니다'
/** The rehearsal took it no more than the broker. */
const NOT_WRITTEN = '그림자 장부에도 적지 못했습니다'
const OF_STOCK = /^\/api\/user\/stock\/(\w{6})\//
/** A switch without a clear answer may be carried out so long after it left, ms. */
const STRAY_MS = 180_000

/** Only what is in the shadow is answered as a rehearsal: what is real a person can sell, at any time. */
export class RehearsedAnswers {
  readonly #stage: Stage
  readonly #rows: CommittedRows
  /** Whether the stock was in the shadow when a request left. */
  readonly #before = new WeakMap<Asked, boolean>()

  constructor(stage: Stage, rows: CommittedRows) {
    this.#stage = stage
    this.#rows = rows
  }

  asks(person: Person, one: Asked): void {
    const code = codeOf(one)
    if (code !== null && this.#rows.readable) this.#before.set(one, this.#rows.isShadowed(person.userId, code))
  }

  /** Returns whether it was written into the rehearsal. Throws a `Violation` where there is none of its stock. */
  answered(person: Person, one: Asked): boolean {
    const { status, text } = one.answer ?? { status: 0, text: '' }
    const code = codeOf(one)
    if (code === null || !text.includes(REHEARSED)) return false
    const before = this.#before.get(one)
    const isKnown = before !== undefined && this.#rows.readable && !this.#isSwitched(person, one)
    if (
      this.#stage.looks.count('answers of the shadow', isKnown) &&
      !before &&
      !this.#rows.isShadowed(person.userId, code)
    )
      throw new Violation('only the shadow is rehearsed', `${person.email}: ${one.path} is real: ${status} ${text}`)
    return status === 409 && !text.includes(NOT_WRITTEN)
  }

  /** A switch was on its way meanwhile, or may still have been. */
  #isSwitched({ asked }: Person, one: Asked): boolean {
    return asked.some(({ method, path, at, answeredAt, answer }) => {
      if (method !== 'POST' || path !== SHADOW) return false
      if (answeredAt === null || answeredAt >= one.at) return true
      const isClear = answer !== null && answer.status >= 200 && answer.status < 500
      return !isClear && at >= one.at - STRAY_MS
    })
  }
}

/** The stock that is ordered by hand; null: none is. */
const codeOf = ({ method, path }: Asked): string | null =>
  method === 'POST' ? (OF_STOCK.exec(path)?.[1] ?? null) : null
